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

  private const LIFETIME_S = 180 * 86400;

  public function __construct(private readonly RequestStack $requestStack) {}

  /**
   * Whether the visitor has accepted a vendor in the last 180 days.
   *
   * Only the cookie is read. It does not say whether a vendor is required, or has changed since the answer.
   */
  public function isAccepted(string $vendor): bool {
    // As an array: Symfony throws for a cookie that is not a text.
    $text = $this->requestStack->getCurrentRequest()?->cookies->all()['axeptio_cookies'] ?? '';
    if (!is_string($text) || strlen($text) > self::COOKIE_BYTES_MAX || str_starts_with($vendor, '$$')) {
      return FALSE;
    }
    $answers = json_decode($text, TRUE, 4);
    return is_array($answers) && !empty($answers['$$completed']) && !self::isExpired($answers['$$date'] ?? NULL)
      && ($answers[$vendor] ?? NULL) === TRUE;
  }

  /**
   * Whether an answer is too old. As in the widget, one without a date is not.
   */
  private static function isExpired(mixed $date): bool {
    if (empty($date)) {
      return FALSE;
    }
    $time = is_string($date) ? strtotime($date) : FALSE;
    return $time === FALSE || time() - $time > self::LIFETIME_S;
  }

}
