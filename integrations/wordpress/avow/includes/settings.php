<?php
/**
 * The plugin's settings: one option, validated when it is saved.
 *
 * @package Avow
 */

defined( 'ABSPATH' ) || exit;

/** Categories of the WP Consent API that can be mapped. `functional` is always allowed. */
const AVOW_CATEGORIES = array( 'preferences', 'statistics-anonymous', 'statistics', 'marketing' );

/** Maximum number of vendors that can be mapped. */
const AVOW_VENDORS_MAX = 500;

/**
 * The settings of this site, complete with defaults.
 *
 * @return array{service: string, cdn: string, project: string, staging: bool, preload: bool, blocking: bool, vary: bool, identify: bool, cookie: string, categories: array<string, string>}
 */
function avow_get_settings() {
	$saved = get_option( 'avow_settings' );
	return array_merge(
		array(
			'service'    => '',
			'cdn'        => '',
			'project'    => '',
			'staging'    => false,
			'preload'    => true,
			'blocking'   => false,
			'vary'       => false,
			'identify'   => false,
			'cookie'     => 'axeptio_cookies',
			'categories' => array(),
		),
		is_array( $saved ) ? $saved : array()
	);
}

/**
 * Whether the address of the service and the project are set.
 *
 * @return bool
 */
function avow_is_connected() {
	$settings = avow_get_settings();
	return '' !== $settings['service'] && '' !== $settings['project'];
}

/**
 * The address of a published file, such as `https://consent.example/cdn/PROJECT.json`.
 *
 * @param string $extension `json` or `block.js`.
 * @return string
 */
function avow_get_published_url( $extension ) {
	$settings = avow_get_settings();
	$cdn      = '' === $settings['cdn'] ? $settings['service'] . '/cdn' : $settings['cdn'];
	return $cdn . '/' . $settings['project'] . ( $settings['staging'] ? '.staging' : '' ) . '.' . $extension;
}

add_action( 'admin_init', 'avow_register_settings' );

/**
 * Registers the option. WordPress checks the nonce and `manage_options` before it saves it.
 */
function avow_register_settings() {
	register_setting(
		'avow',
		'avow_settings',
		array(
			'type'              => 'object',
			'sanitize_callback' => 'avow_sanitize_settings',
			'show_in_rest'      => false,
		)
	);
}

/**
 * Validates what the settings screen sends. An invalid field keeps its saved value and is reported.
 *
 * @param mixed $input The fields of the form.
 * @return array<string, mixed> As `avow_get_settings`.
 */
function avow_sanitize_settings( $input ) {
	$saved = avow_get_settings();
	if ( ! is_array( $input ) ) {
		return $saved;
	}
	// The address of the service may be pasted with a path, as the snippet has it.
	$service = avow_sanitize_address( preg_replace( '#/widget\.js$#', '', avow_to_text( $input, 'service' ) ) );
	if ( null === $service ) {
		avow_report( __( 'The address of the service must start with https://, such as https://consent.example.', 'avow' ) );
		$service = $saved['service'];
	}
	$cdn = avow_sanitize_address( avow_to_text( $input, 'cdn' ) );
	if ( null === $cdn ) {
		avow_report( __( 'The address of published files must start with https://. Leave it empty for the usual one.', 'avow' ) );
		$cdn = $saved['cdn'];
	}
	$project = avow_to_text( $input, 'project' );
	if ( '' !== $project && ! preg_match( '/^[A-Za-z0-9_-]{1,64}$/D', $project ) ) {
		avow_report( __( 'The project identifier consists of letters and digits. Copy it from the snippet in Avow, after data-project.', 'avow' ) );
		$project = $saved['project'];
	}
	$cookie = avow_to_text( $input, 'cookie' );
	if ( ! preg_match( '/^[A-Za-z0-9_-]{1,64}$/D', $cookie ) ) {
		$cookie = 'axeptio_cookies';
	}
	return array(
		'service'    => $service,
		'cdn'        => $cdn,
		'project'    => $project,
		'staging'    => ! empty( $input['staging'] ),
		'preload'    => ! empty( $input['preload'] ),
		'blocking'   => ! empty( $input['blocking'] ),
		'vary'       => ! empty( $input['vary'] ),
		'identify'   => ! empty( $input['identify'] ),
		'cookie'     => $cookie,
		'categories' => avow_sanitize_categories( isset( $input['categories'] ) ? $input['categories'] : $saved['categories'] ),
	);
}

/**
 * A text field of a form.
 *
 * @param array<string, mixed> $input The form.
 * @param string               $name  The field.
 * @return string Empty if it is missing or no text.
 */
function avow_to_text( array $input, $name ) {
	return isset( $input[ $name ] ) && is_string( $input[ $name ] ) ? trim( sanitize_text_field( $input[ $name ] ) ) : '';
}

/**
 * A base address without a slash at its end. Only this machine may be reached without encryption.
 *
 * @param string $address As entered.
 * @return string|null Empty if nothing was entered, null if it is invalid.
 */
function avow_sanitize_address( $address ) {
	$address = untrailingslashit( $address );
	if ( '' === $address ) {
		return '';
	}
	if ( strlen( $address ) > 200 || ! preg_match( '#^(https?)://([A-Za-z0-9.-]+)(:\d{1,5})?(/[A-Za-z0-9._~/-]*)?$#D', $address, $parts ) ) {
		return null;
	}
	$is_local = in_array( $parts[2], array( 'localhost', '127.0.0.1' ), true );
	return 'https' === $parts[1] || $is_local ? $address : null;
}

/**
 * The mapping of vendors to categories.
 *
 * @param mixed $given Category by vendor.
 * @return array<string, string> Without vendors that have no category.
 */
function avow_sanitize_categories( $given ) {
	$categories = array();
	foreach ( is_array( $given ) ? array_slice( $given, 0, AVOW_VENDORS_MAX, true ) : array() as $vendor => $category ) {
		$vendor = (string) $vendor;
		if ( avow_is_vendor( $vendor ) && in_array( $category, AVOW_CATEGORIES, true ) ) {
			$categories[ $vendor ] = $category;
		}
	}
	return $categories;
}

/**
 * Whether a text can be the name of a vendor. Names that begin with `$$` are members of the cookie.
 *
 * @param mixed $name The text.
 * @return bool
 */
function avow_is_vendor( $name ) {
	return is_string( $name ) && 1 === preg_match( '/^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,127}$/D', $name );
}

/**
 * Shows an error above the settings.
 *
 * @param string $message Translated text.
 */
function avow_report( $message ) {
	if ( function_exists( 'add_settings_error' ) ) {
		add_settings_error( 'avow_settings', 'avow_invalid', $message );
	}
}
