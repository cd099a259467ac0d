<?php
/**
 * Plugin Name: WP Consent API (stand-in)
 * Description: The documented functions, filters and cookies of the WP Consent API, for tests. Neither Debian nor npm has the plugin itself.
 * Version:     1.0.8
 *
 * Source: the readme of https://wordpress.org/plugins/wp-consent-api/.
 */

defined( 'ABSPATH' ) || exit;

function wp_get_consent_type() {
	return apply_filters( 'wp_get_consent_type', false );
}

function wp_has_consent( $category, $requested_by = false ) {
	$type        = wp_get_consent_type();
	$cookie      = isset( $_COOKIE[ 'wp_consent_' . $category ] ) ? $_COOKIE[ 'wp_consent_' . $category ] : '';
	$has_consent = ! $type || 'allow' === $cookie || ( 'optout' === $type && '' === $cookie );
	return apply_filters( 'wp_has_consent', $has_consent, $category, $requested_by );
}

function consent_api_registered( $plugin ) {
	return apply_filters( 'wp_consent_api_registered_' . $plugin, false );
}

add_action(
	'wp_enqueue_scripts',
	function () {
		wp_enqueue_script( 'wp-consent-api', plugins_url( 'wp-consent-api.js', __FILE__ ), array(), '1.0.8', true );
		wp_localize_script( 'wp-consent-api', 'consent_api', array( 'consent_type' => wp_get_consent_type() ) );
	},
	PHP_INT_MAX - 100
);
