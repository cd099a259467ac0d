<?php
/**
 * Runs the Magento module on stand-ins of Magento's classes. Reads from standard input a list of settings, and prints the
 * head and the added policies for each, as JSON.
 */

namespace Magento\Framework\App\Config {
    interface ScopeConfigInterface
    {
    }

    class ScopeConfig implements ScopeConfigInterface
    {
        public function __construct(private array $values)
        {
        }

        public function getValue(string $path, string $scope)
        {
            return $this->values[substr($path, strlen('avow/consent/'))] ?? null;
        }
    }
}

namespace Magento\Store\Model {
    interface ScopeInterface
    {
        public const SCOPE_STORE = 'store';
    }
}

namespace Magento\Csp\Api {
    interface PolicyCollectorInterface
    {
    }
}

namespace Magento\Csp\Model\Policy {
    class FetchPolicy
    {
        public function __construct(public string $id, public bool $none, public array $hosts)
        {
        }
    }
}

namespace Magento\Framework\View\Element\Block {
    interface ArgumentInterface
    {
    }
}

namespace Magento\Framework\Component {
    class ComponentRegistrar
    {
        public const MODULE = 'module';
        public static array $registered = [];

        public static function register(...$arguments): void
        {
            self::$registered[] = $arguments;
        }
    }
}

namespace {
    $folder = __DIR__ . '/../../../integrations/magento/Avow/Consent';
    foreach (['registration', 'Model/Config', 'Model/PolicyCollector', 'ViewModel/Head'] as $name) {
        require "$folder/$name.php";
    }

    /** The template's variables, as Magento sets them. */
    $escaper = new class {
        public function escapeUrl(string $url): string
        {
            return htmlspecialchars($url, ENT_QUOTES);
        }
    };
    $secureRenderer = new class {
        public function renderTag(string $tag, array $attributes, ?string $content = null, bool $isText = true): string
        {
            $html = "<$tag";
            foreach ($attributes as $name => $value) {
                $html .= sprintf(' %s="%s"', $name, htmlspecialchars($value, ENT_QUOTES));
            }

            return "$html>$content</$tag>";
        }
    };
    $run = function (array $settings) use ($folder, $escaper, $secureRenderer) {
        $config = new Avow\Consent\Model\Config(new Magento\Framework\App\Config\ScopeConfig($settings));
        $block = new class(new Avow\Consent\ViewModel\Head($config)) {
            public function __construct(private object $head)
            {
            }

            public function getData(string $name): ?object
            {
                return $name === 'view_model' ? $this->head : null;
            }
        };
        ob_start();
        (function () use ($folder, $escaper, $secureRenderer, $block) {
            include "$folder/view/frontend/templates/head.phtml";
        })();

        return [ob_get_clean(), (new Avow\Consent\Model\PolicyCollector($config))->collect(['before'])];
    };
    echo json_encode(array_map($run, json_decode(stream_get_contents(STDIN), true)));
}
