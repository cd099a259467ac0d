<?php
/**
 * The facts that the server needs of the published file: vendors, their hosts, and what each answer must refer to.
 * They are fetched in the background, never while a visitor waits.
 *
 * @package Avow
 */

defined( 'ABSPATH' ) || exit;

const AVOW_FETCH_TIMEOUT_S = 5;
const AVOW_FILE_BYTES_MAX  = 2097152;

/**
 * The facts of the last published file that was fetched. `days` is the lifetime of answers.
 *
 * @return array{name: string, version: int, time: int, days: int, vendors: array<string, array{title: string, required: bool, hosts: string[], offers: string}>, forms: array<int, array{kind: string, name: string, title: string}>}|array{} Empty before the first fetch.
 */
function avow_get_published() {
	$published = get_option( 'avow_published' );
	return is_array( $published ) && isset( $published['vendors'] ) ? $published : array();
}

add_action( 'init', 'avow_schedule_refresh' );
add_action( 'avow_refresh', 'avow_refresh_published' );
add_action( 'add_option_avow_settings', 'avow_refresh_published', 10, 0 );
add_action( 'update_option_avow_settings', 'avow_refresh_published', 10, 0 );

/**
 * Has WP-Cron fetch the published file every hour.
 */
function avow_schedule_refresh() {
	if ( avow_is_connected() && ! wp_next_scheduled( 'avow_refresh' ) ) {
		wp_schedule_event( time() + HOUR_IN_SECONDS, 'hourly', 'avow_refresh' );
	}
}

/**
 * Fetches the published file and stores its facts.
 *
 * @return true|WP_Error The error has a message for the settings screen. The earlier facts stay.
 */
function avow_refresh_published() {
	if ( ! avow_is_connected() ) {
		delete_option( 'avow_published' );
		return new WP_Error( 'avow_unset', __( 'Enter the address of the service and the project identifier first.', 'avow' ) );
	}
	$settings = avow_get_settings();
	// Without redirects, and with WordPress's list of private addresses: on a network of sites, whoever administers one
	// of them is not trusted with the network of the server.
	$response = wp_safe_remote_get(
		avow_get_published_url( 'json' ),
		array(
			'timeout'             => AVOW_FETCH_TIMEOUT_S,
			'redirection'         => 0,
			'limit_response_size' => AVOW_FILE_BYTES_MAX,
			'headers'             => array( 'Accept' => 'application/json' ),
		)
	);
	if ( is_wp_error( $response ) ) {
		return 'http_request_failed' === $response->get_error_code()
			? new WP_Error( 'avow_unreachable', avow_explain_failure( $response->get_error_message() ) )
			: $response;
	}
	$status = wp_remote_retrieve_response_code( $response );
	if ( 404 === $status ) {
		return new WP_Error( 'avow_missing', __( 'The service answers, but nothing is published for this project. Check the identifier, then publish the project in Avow.', 'avow' ) );
	}
	if ( 200 !== $status ) {
		/* translators: %d: status code of HTTP, such as 503 */
		return new WP_Error( 'avow_status', sprintf( __( 'The service answers with status %d. Check its address, and whether it is running.', 'avow' ), $status ) );
	}
	$published = avow_parse_published( wp_remote_retrieve_body( $response ), $settings['project'] );
	if ( null === $published ) {
		return new WP_Error( 'avow_foreign', __( 'The address answers with something other than a published file of this project. Check the address of the service.', 'avow' ) );
	}
	update_option( 'avow_published', $published, true );
	return true;
}

/**
 * The text for a failed request.
 *
 * @param string $reason The reason that WordPress gives.
 * @return string
 */
function avow_explain_failure( $reason ) {
	$reason = wp_strip_all_tags( $reason );
	return sprintf(
		/* translators: 1: reason, as WordPress or cURL gives it. 2 and 3: names of filters */
		__( 'The service cannot be reached: %1$s Check the address. Allow a service in a private network with the filter %2$s, and another port than 80, 443 or 8080 with %3$s.', 'avow' ),
		rtrim( $reason, '. ' ) . '.',
		'http_request_host_is_external',
		'http_allowed_safe_ports'
	);
}

/**
 * Reads the facts of a published file. Nothing else of the response is kept or shown.
 *
 * @param string $body    The response.
 * @param string $project The expected project.
 * @return array<string, mixed>|null As `avow_get_published`; null if it is not a published file of the project.
 */
function avow_parse_published( $body, $project ) {
	$file = json_decode( $body, true, 64 );
	if ( ! is_array( $file ) || ! isset( $file['projectId'] ) || $file['projectId'] !== $project ) {
		return null;
	}
	$vendors = array();
	$days    = 0;
	foreach ( avow_list( $file, 'cookies' ) as $configuration ) {
		// The server does not know which configuration the browser shows: the longest lifetime counts.
		$lifetime = isset( $configuration['settings']['expiresAfterDays'] ) ? $configuration['settings']['expiresAfterDays'] : AVOW_DAYS;
		$days     = max( $days, is_numeric( $lifetime ) && $lifetime >= 1 ? (int) $lifetime : AVOW_DAYS );
		$offers   = isset( $file['widget']['substances'][ avow_text_of( $configuration, 'identifier', 128 ) ] )
			? $file['widget']['substances'][ $configuration['identifier'] ]
			: array();
		foreach ( avow_list( $configuration, 'steps' ) as $step ) {
			foreach ( avow_list( $step, 'vendors' ) as $vendor ) {
				$name = isset( $vendor['name'] ) ? $vendor['name'] : '';
				if ( ! avow_is_vendor( $name ) || count( $vendors ) >= AVOW_VENDORS_MAX ) {
					continue;
				}
				$offer = is_array( $offers ) && isset( $offers[ $name ] ) && is_string( $offers[ $name ] ) ? substr( $offers[ $name ], 0, 1024 ) : '';
				if ( isset( $vendors[ $name ] ) ) {
					// The same vendor in another language: an answer to either counts.
					$vendors[ $name ]['offers'] .= $offer;
					continue;
				}
				$vendors[ $name ] = array(
					'title'    => avow_text_of( $vendor, 'title', 200 ),
					'required' => ! empty( $vendor['required'] ),
					'hosts'    => array_slice( array_values( array_filter( avow_list_any( $vendor, 'hosts' ), 'is_string' ) ), 0, 50 ),
					'offers'   => $offer,
				);
			}
		}
	}
	$forms = array();
	foreach ( array( 'processing' => 'processings', 'contract' => 'contracts' ) as $kind => $list ) {
		foreach ( array_slice( avow_list( $file, $list ), 0, 100 ) as $form ) {
			// A name stands for its translations, too; some names of older configurations cannot be in an attribute.
			$name = avow_text_of( $form, 'name', 129 );
			$name = avow_is_form( $name ) ? $name : avow_text_of( $form, 'identifier', 129 );
			if ( avow_is_form( $name ) && ! isset( $forms[ $kind . ':' . $name ] ) ) {
				$forms[ $kind . ':' . $name ] = array(
					'kind'  => $kind,
					'name'  => $name,
					'title' => avow_text_of( $form, 'title', 200 ),
				);
			}
		}
	}
	return array(
		'name'    => avow_text_of( $file, 'projectName', 200 ),
		'version' => isset( $file['version'] ) ? (int) $file['version'] : 0,
		'time'    => time(),
		'days'    => 0 === $days ? AVOW_DAYS : $days,
		'vendors' => $vendors,
		'forms'   => array_values( $forms ),
	);
}

/**
 * Whether a text can be the identifier of a consent form or contract form.
 *
 * @param mixed $name The text.
 * @return bool
 */
function avow_is_form( $name ) {
	return is_string( $name ) && 1 === preg_match( '/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/D', $name );
}

/**
 * The objects of a list.
 *
 * @param array<string, mixed> $object The object that has the list.
 * @param string               $name   The member.
 * @return array<int, array<string, mixed>>
 */
function avow_list( array $object, $name ) {
	return array_values( array_filter( avow_list_any( $object, $name ), 'is_array' ) );
}

/**
 * The entries of a list.
 *
 * @param array<string, mixed> $object The object that has the list.
 * @param string               $name   The member.
 * @return array<mixed>
 */
function avow_list_any( array $object, $name ) {
	return isset( $object[ $name ] ) && is_array( $object[ $name ] ) ? $object[ $name ] : array();
}

/**
 * A text of an object, as plain text.
 *
 * @param array<string, mixed> $object     The object.
 * @param string               $name       The member.
 * @param int                  $length_max Characters.
 * @return string
 */
function avow_text_of( array $object, $name, $length_max ) {
	$text = isset( $object[ $name ] ) && is_string( $object[ $name ] ) ? wp_strip_all_tags( $object[ $name ] ) : '';
	return function_exists( 'mb_substr' ) ? mb_substr( $text, 0, $length_max ) : substr( $text, 0, $length_max );
}
