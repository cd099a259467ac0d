<?php

declare(strict_types=1);

namespace Avow\Consent\Model;

use Magento\Framework\App\Config\ScopeConfigInterface;
use Magento\Store\Model\ScopeInterface;

/**
 * The settings of a store view. Values that are not valid count as missing, since they may come from `bin/magento` too.
 */
class Config
{
    public function __construct(private readonly ScopeConfigInterface $scopeConfig)
    {
    }

    /** The address of the service without a slash at its end; empty if there is none. */
    public function getService(): string
    {
        $service = rtrim($this->read('service'), '/');
        $pattern = '#^(https://[A-Za-z0-9.-]+|http://(localhost|127\.0\.0\.1))(:\d{1,5})?(/[A-Za-z0-9._~/-]*)?$#D';

        return preg_match($pattern, $service) ? $service : '';
    }

    /** The identifier of the project; empty if there is none. */
    public function getProject(): string
    {
        $project = $this->read('project');

        return preg_match('/^[A-Za-z0-9_-]{1,64}$/D', $project) ? $project : '';
    }

    public function isBlocking(): bool
    {
        return $this->read('blocking') === '1';
    }

    private function read(string $field): string
    {
        return trim((string) $this->scopeConfig->getValue('avow/consent/' . $field, ScopeInterface::SCOPE_STORE));
    }
}
