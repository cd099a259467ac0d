<?php

declare(strict_types=1);

namespace Drupal\avow;

use Symfony\Component\HttpFoundation\RequestStack;

/**
 * The visitor's answer on the server.
 *
 * A render array that depends on it needs the cache context of CACHE_CONTEXT. The visitor can change the cookie: nothing
 * but their own choice may depend on it.
 */
class Consent {

  /**
   * Visitors with the same accepted vendors share a cached page.
   */
  public const CACHE_CONTEXT = 'cookies:axeptio_authorized_vendors';

  private const COOKIE_BYTES_MAX = 8192;

  public function __construct(private readonly RequestStack $requestStack) {}

  /**
   * Whether the visitor has accepted a vendor.
   */
  public function isAccepted(string $vendor): bool {
    // As an array: Symfony throws for a cookie that is not a text.
    $text = $this->requestStack->getCurrentRequest()?->cookies->all()['axeptio_cookies'] ?? '';
    if (!is_string($text) || strlen($text) > self::COOKIE_BYTES_MAX || str_starts_with($vendor, '$$')) {
      return FALSE;
    }
    $answers = json_decode($text, TRUE, 4);
    return is_array($answers) && !empty($answers['$$completed']) && ($answers[$vendor] ?? NULL) === TRUE;
  }

}
