<?php

declare(strict_types=1);

namespace Drupal\avow\Hook;

use Drupal\Core\Config\ConfigFactoryInterface;
use Drupal\Core\Hook\Attribute\Hook;
use Drupal\Core\Routing\AdminContext;
use Symfony\Component\DependencyInjection\Attribute\Autowire;

/**
 * The scripts in the head of every page.
 */
class AvowHooks {

  public function __construct(
    private readonly ConfigFactoryInterface $configFactory,
    #[Autowire(service: 'router.admin_context')]
    private readonly AdminContext $adminContext,
  ) {}

  /**
   * Implements hook_page_attachments().
   */
  #[Hook('page_attachments')]
  public function pageAttachments(array &$attachments): void {
    $config = $this->configFactory->get('avow.settings');
    // Pages that are cached without the scripts are built again once the settings change.
    $attachments['#cache']['tags'] = array_merge($attachments['#cache']['tags'] ?? [], $config->getCacheTags());
    $service = (string) $config->get('service');
    $project = (string) $config->get('project');
    if ($service === '' || $project === '' || $this->adminContext->isAdminRoute()) {
      return;
    }
    $file = "$service/cdn/$project";
    $tags = [
      'avow_preload' => ['link', ['rel' => 'preload', 'as' => 'fetch', 'crossorigin' => '', 'href' => "$file.json"]],
      'avow' => ['script', ['src' => "$service/widget.js", 'data-project' => $project, 'async' => TRUE]],
    ];
    if ($config->get('blocking')) {
      // The policy keeps Chromium from requesting scripts ahead of the parser, before they can be held.
      $tags = [
        'avow_policy' => ['meta', ['http-equiv' => 'Content-Security-Policy', 'content' => '']],
        'avow_block' => ['script', ['src' => "$file.block.js", 'data-block' => 'auto']],
      ] + $tags;
    }
    // After the character set (-1000), before everything else of the head. Drupal escapes the attributes.
    $weight = -999;
    foreach ($tags as $key => [$tag, $attributes]) {
      $attachments['#attached']['html_head'][] = [
        ['#tag' => $tag, '#attributes' => $attributes, '#weight' => $weight++],
        $key,
      ];
    }
  }

}
