<?php

declare(strict_types=1);

namespace Avow\Consent\Model;

use Magento\Csp\Api\PolicyCollectorInterface;
use Magento\Csp\Model\Policy\FetchPolicy;

/**
 * Allows the service in Magento's Content Security Policy. `csp_whitelist.xml` cannot, since the address is a setting.
 */
class PolicyCollector implements PolicyCollectorInterface
{
    private const DIRECTIVES = ['script-src', 'connect-src', 'img-src'];

    public function __construct(private readonly Config $config)
    {
    }

    /**
     * @inheritDoc
     */
    public function collect(array $defaultPolicies = []): array
    {
        if (preg_match('#^https?://[^/]+#', $this->config->getService(), $origin)) {
            foreach (self::DIRECTIVES as $directive) {
                $defaultPolicies[] = new FetchPolicy($directive, false, [$origin[0]]);
            }
        }

        return $defaultPolicies;
    }
}
