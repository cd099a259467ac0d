<?php
/**
 * Cache and optimisation plugins: the widget must run first and unchanged. A plugin that delays it until the first
 * click, or joins it with other scripts, would let tags run before the visitor is asked.
 *
 * Each plugin's own documentation names these filters and attributes.
 *
 * @package Avow
 */

defined( 'ABSPATH' ) || exit;

/**
 * Attributes that keep a script as it is.
 *
 * @return array<string, string|bool>
 */
function avow_get_exclusion_attributes() {
	return array(
		// WP Rocket: no delay.
		'nowprocket'       => true,
		// LiteSpeed Cache: no combination, no delay.
		'data-no-optimize' => '1',
		'data-no-defer'    => '1',
		// Autoptimize.
		'data-noptimize'   => '1',
		// SiteGround Speed Optimizer, and others.
		'data-no-minify'   => '1',
		// Rocket Loader of Cloudflare.
		'data-cfasync'     => 'false',
	);
}

add_action( 'plugins_loaded', 'avow_add_cache_filters' );

/**
 * Adds the filters. Those of plugins that are not active are never called.
 */
function avow_add_cache_filters() {
	$lists = array(
		// WP Rocket.
		'rocket_minify_excluded_external_js',
		'rocket_exclude_js',
		'rocket_exclude_defer_js',
		'rocket_delay_js_exclusions',
		// LiteSpeed Cache.
		'litespeed_optimize_js_excludes',
		'litespeed_optm_js_defer_exc',
		'litespeed_optm_gm_js_exc',
		// SiteGround Speed Optimizer.
		'sgo_javascript_combine_excluded_external_paths',
		'sgo_javascript_combine_excluded_inline_content',
		// Perfmatters.
		'perfmatters_delay_js_exclusions',
		'perfmatters_defer_js_exclusions',
		// WP-Optimize.
		'wp-optimize-minify-default-exclusions',
	);
	foreach ( $lists as $filter ) {
		add_filter( $filter, 'avow_exclude_scripts' );
	}
	foreach ( array( 'sgo_js_minify_exclude', 'sgo_javascript_combine_exclude', 'sgo_js_async_exclude' ) as $filter ) {
		add_filter( $filter, 'avow_exclude_handles' );
	}
	add_filter( 'autoptimize_filter_js_exclude', 'avow_exclude_from_autoptimize' );
	add_filter( 'w3tc_minify_js_do_tag_minification', 'avow_exclude_from_w3tc', 10, 2 );
	foreach ( array( 'rocket_cache_dynamic_cookies', 'litespeed_vary_cookies' ) as $filter ) {
		add_filter( $filter, 'avow_vary_by_answer' );
	}
}

/**
 * Parts of the addresses of scripts that must stay as they are.
 *
 * @return string[] Empty if the plugin is not connected.
 */
function avow_list_script_addresses() {
	if ( ! avow_is_connected() ) {
		return array();
	}
	$service = avow_get_settings()['service'];
	return array(
		preg_replace( '#^https?://#', '', $service ) . '/widget.js',
		avow_get_settings()['project'] . ( avow_get_settings()['staging'] ? '.staging' : '' ) . '.block.js',
		'avow/assets/consent-api.js',
		'avowCategories',
	);
}

/**
 * Adds the scripts to a list of addresses.
 *
 * @param mixed $excluded Addresses that are excluded already.
 * @return string[]
 */
function avow_exclude_scripts( $excluded ) {
	return array_merge( is_array( $excluded ) ? $excluded : array(), avow_list_script_addresses() );
}

/**
 * Adds the script of the WP Consent API to a list of handles.
 *
 * @param mixed $excluded Handles that are excluded already.
 * @return string[]
 */
function avow_exclude_handles( $excluded ) {
	return array_merge( is_array( $excluded ) ? $excluded : array(), array( 'avow-consent-api' ) );
}

/**
 * Autoptimize has a text with commas, or addresses as keys.
 *
 * @param mixed $excluded Addresses that are excluded already.
 * @return mixed
 */
function avow_exclude_from_autoptimize( $excluded ) {
	if ( is_array( $excluded ) ) {
		return $excluded + array_fill_keys( avow_list_script_addresses(), '' );
	}
	return implode( ', ', array_filter( array_merge( array( (string) $excluded ), avow_list_script_addresses() ) ) );
}

/**
 * W3 Total Cache asks for each tag.
 *
 * @param mixed  $is_minified Whether the tag is minified.
 * @param string $tag         The script tag.
 * @return mixed
 */
function avow_exclude_from_w3tc( $is_minified, $tag ) {
	foreach ( avow_list_script_addresses() as $address ) {
		if ( false !== strpos( (string) $tag, $address ) ) {
			return false;
		}
	}
	return $is_minified;
}

/**
 * Has the page cache keep one page for each combination of accepted vendors. The cookie has no identifier of the
 * visitor, so that visitors with the same answers share a page.
 *
 * @param mixed $cookies Names of cookies.
 * @return string[]
 */
function avow_vary_by_answer( $cookies ) {
	$cookies = is_array( $cookies ) ? $cookies : array();
	return avow_get_settings()['vary'] ? array_merge( $cookies, array( 'axeptio_authorized_vendors' ) ) : $cookies;
}
