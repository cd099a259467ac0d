<?php

declare(strict_types=1);

namespace Avow\Consent\ViewModel;

use Avow\Consent\Model\Config;
use Magento\Framework\View\Element\Block\ArgumentInterface;

/**
 * The addresses of the scripts of the head.
 */
class Head implements ArgumentInterface
{
    public function __construct(private readonly Config $config)
    {
    }

    public function isConnected(): bool
    {
        return $this->config->getService() !== '' && $this->config->getProject() !== '';
    }

    public function isBlocking(): bool
    {
        return $this->config->isBlocking();
    }

    public function getProject(): string
    {
        return $this->config->getProject();
    }

    public function getScriptUrl(): string
    {
        return $this->config->getService() . '/widget.js';
    }

    /** The address of a published file, such as `https://consent.example/cdn/PROJECT.json`. */
    public function getFileUrl(string $extension): string
    {
        return $this->config->getService() . '/cdn/' . $this->config->getProject() . '.' . $extension;
    }
}
