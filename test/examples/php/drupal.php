<?php
/**
 * Runs the Drupal module on stand-ins of Drupal's and Symfony's classes. Reads from standard input a list of calls, and
 * prints the result of each, as JSON: {"settings": {…}, "isAdmin": false} for the head of a page, or {"cookies": {…},
 * "vendor": "…"}, or {"form": {…}} for the settings form.
 */

namespace Drupal\Core\Hook\Attribute {
    #[\Attribute]
    class Hook
    {
        public function __construct(public string $hook)
        {
        }
    }
    #[\Attribute]
    class LegacyHook
    {
    }
}

namespace Symfony\Component\DependencyInjection\Attribute {
    #[\Attribute]
    class Autowire
    {
        public function __construct(public string $service)
        {
        }
    }
}

namespace Symfony\Component\HttpFoundation {
    class RequestStack
    {
        public object $cookies;

        public function __construct(array $cookies)
        {
            $this->cookies = new class($cookies) {
                public function __construct(private array $cookies)
                {
                }

                public function all(): array
                {
                    return $this->cookies;
                }
            };
        }

        public function getCurrentRequest(): static
        {
            return $this;
        }
    }
}

namespace Drupal\Core\Routing {
    class AdminContext
    {
        public function __construct(private bool $isAdmin)
        {
        }

        public function isAdminRoute(): bool
        {
            return $this->isAdmin;
        }
    }
}

namespace Drupal\Core\Config {
    interface ConfigFactoryInterface
    {
    }

    class Config implements ConfigFactoryInterface
    {
        public function __construct(public array $values)
        {
        }

        public function get(string $name)
        {
            return $name === 'avow.settings' ? $this : $this->values[$name] ?? null;
        }

        public function set(string $name, $value): static
        {
            $this->values[$name] = $value;

            return $this;
        }

        public function save(): void
        {
        }

        public function getCacheTags(): array
        {
            return ['config:avow.settings'];
        }
    }
}

namespace Drupal\Core\Form {
    interface FormStateInterface
    {
    }

    class FormState implements FormStateInterface
    {
        public array $errors = [];

        public function __construct(public array $values)
        {
        }

        public function getValue(string $name)
        {
            return $this->values[$name] ?? null;
        }

        public function setValue(string $name, $value): void
        {
            $this->values[$name] = $value;
        }

        public function setErrorByName(string $name, string $message): void
        {
            $this->errors[$name] = $message;
        }
    }

    class ConfigFormBase
    {
        public function __construct(private \Drupal\Core\Config\Config $config)
        {
        }

        protected function config(string $name): \Drupal\Core\Config\Config
        {
            return $this->config;
        }

        public function t(string $text): string
        {
            return $text;
        }

        public function buildForm(array $form, FormStateInterface $state): array
        {
            return $form;
        }

        public function validateForm(array &$form, FormStateInterface $state): void
        {
        }

        public function submitForm(array &$form, FormStateInterface $state): void
        {
        }
    }
}

namespace {
    $folder = __DIR__ . '/../../../integrations/drupal/avow';
    foreach (['Hook/AvowHooks', 'Consent', 'Form/SettingsForm'] as $name) {
        require "$folder/src/$name.php";
    }

    class Drupal
    {
        public static object $hooks;

        public static function service(string $name): object
        {
            return self::$hooks;
        }
    }
    require "$folder/avow.module";

    /** The head as Drupal renders it: by weight, with escaped attributes. */
    function render(array $elements): string
    {
        usort($elements, fn ($a, $b) => $a[0]['#weight'] <=> $b[0]['#weight']);
        $html = '';
        foreach ($elements as [$element]) {
            $html .= '<' . $element['#tag'];
            foreach ($element['#attributes'] as $name => $value) {
                $html .= $value === true ? " $name" : sprintf(' %s="%s"', $name, htmlspecialchars($value));
            }
            $html .= $element['#tag'] === 'script' ? "></script>\n" : ">\n";
        }

        return $html;
    }

    $run = function (array $call) {
        if (isset($call['cookies'])) {
            $stack = new Symfony\Component\HttpFoundation\RequestStack($call['cookies']);

            return (new Drupal\avow\Consent($stack))->isAccepted($call['vendor']);
        }
        $config = new Drupal\Core\Config\Config($call['settings'] ?? []);
        if (isset($call['form'])) {
            $form = new Drupal\avow\Form\SettingsForm($config);
            $state = new Drupal\Core\Form\FormState($call['form']);
            $built = $form->buildForm([], $state);
            $form->validateForm($built, $state);
            if ($state->errors === []) {
                $form->submitForm($built, $state);
            }

            return [$state->errors, $config->values];
        }
        Drupal::$hooks = new Drupal\avow\Hook\AvowHooks($config, new Drupal\Core\Routing\AdminContext($call['isAdmin']));
        $attachments = ['#cache' => ['tags' => ['other']]];
        avow_page_attachments($attachments);

        return [render($attachments['#attached']['html_head'] ?? []), $attachments['#cache']['tags']];
    };
    echo json_encode(array_map($run, json_decode(stream_get_contents(STDIN), true)));
}
