<?php
/**
 * The WP Consent API (https://wordpress.org/plugins/wp-consent-api/), for other plugins: a script passes each answer to
 * it in the browser, and a filter answers `wp_has_consent()` on the server.
 *
 * @package Avow
 */

defined( 'ABSPATH' ) || exit;

add_filter( 'wp_consent_api_registered_' . plugin_basename( AVOW_FILE ), '__return_true' );
add_filter( 'wp_get_consent_type', 'avow_filter_consent_type' );
add_filter( 'wp_has_consent', 'avow_filter_has_consent', 10, 2 );
add_action( 'wp_enqueue_scripts', 'avow_enqueue_consent_api', PHP_INT_MAX );

/**
 * Without an answer nothing is granted. Where the law lets a vendor run before an answer, the browser says so, because
 * only it knows the visitor's region.
 *
 * @param string|false $type The type that another plugin has set.
 * @return string|false
 */
function avow_filter_consent_type( $type ) {
	return avow_is_connected() ? 'optin' : $type;
}

/**
 * Answers from the consent cookie, which the browser sends before the cookies of the WP Consent API can be right.
 *
 * @param bool         $has_consent What those cookies say.
 * @param string|false $category    A category of the WP Consent API.
 * @return bool
 */
function avow_filter_has_consent( $has_consent, $category ) {
	if ( ! avow_is_connected() ) {
		return $has_consent;
	}
	if ( 'functional' === $category ) {
		return true;
	}
	// The visitor has not answered, or the browser stores the answer elsewhere: the script has passed it on.
	if ( array() === avow_get_answers() ) {
		return $has_consent;
	}
	$vendors = avow_list_vendors_of( $category );
	return array() !== $vendors && array_filter( $vendors, 'avow_has_consent' ) === $vendors;
}

/**
 * The vendors of a category.
 *
 * @param string|false $category A category of the WP Consent API.
 * @return string[]
 */
function avow_list_vendors_of( $category ) {
	return array_map( 'strval', array_keys( avow_get_settings()['categories'], $category, true ) );
}

/**
 * Adds the script that passes answers to the WP Consent API, if that plugin is active.
 */
function avow_enqueue_consent_api() {
	if ( ! avow_is_connected() || ! function_exists( 'wp_has_consent' ) ) {
		return;
	}
	wp_enqueue_script( 'avow-consent-api', plugins_url( 'assets/consent-api.js', AVOW_FILE ), array( 'wp-consent-api' ), AVOW_VERSION, true );
	$categories = array();
	foreach ( AVOW_CATEGORIES as $category ) {
		$categories[ $category ] = avow_list_vendors_of( $category );
	}
	wp_add_inline_script( 'avow-consent-api', 'window.avowCategories = ' . wp_json_encode( $categories, JSON_HEX_TAG | JSON_HEX_AMP ) . ';', 'before' );
}
