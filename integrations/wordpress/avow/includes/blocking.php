<?php
/**
 * Automatic blocking and the content of posts. A browser loads a frame of the HTML before any script can hold it, unless
 * the frame is lazy. WordPress makes most frames and pictures lazy, but not the first ones of a page, and none without a size.
 *
 * @package Avow
 */

defined( 'ABSPATH' ) || exit;

// After WordPress's own filters, such as those that make frames of addresses (8) and add `loading` (10).
foreach ( array( 'the_content', 'the_excerpt', 'widget_text_content', 'widget_block_content' ) as $avow_filter ) {
	add_filter( $avow_filter, 'avow_make_lazy', 20 );
}
unset( $avow_filter );

/**
 * Makes frames and pictures of other hosts lazy, if automatic blocking is on.
 *
 * @param mixed $content HTML.
 * @return mixed
 */
function avow_make_lazy( $content ) {
	if ( ! is_string( $content ) || ! avow_is_connected() || ! avow_get_settings()['blocking'] ) {
		return $content;
	}
	$own    = strtolower( (string) wp_parse_url( home_url(), PHP_URL_HOST ) );
	$result = preg_replace_callback(
		'#<(iframe|img)(?=\s)[^>]*>#i',
		static function ( $found ) use ( $own ) {
			list( $tag, $name ) = $found;
			$is_other           = preg_match( '#\ssrc\s*=\s*["\']?\s*(?:https?:)?//([^/:"\'\s>]+)#i', $tag, $host ) && strtolower( $host[1] ) !== $own;
			$is_open            = ! preg_match( '#\sloading\s*=#i', $tag );
			// Directly after the name, so that an attribute with > in its value does not matter.
			return $is_other && $is_open ? substr_replace( $tag, ' loading="lazy"', strlen( $name ) + 1, 0 ) : $tag;
		},
		$content
	);
	// Null if the content exceeds PHP's limits of patterns.
	return null === $result ? $content : $result;
}
