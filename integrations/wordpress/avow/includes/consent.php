<?php
/**
 * The visitor's answer on the server, before any script runs.
 *
 * @package Avow
 */

defined( 'ABSPATH' ) || exit;

/** Browsers store no larger cookie; the widget then uses local storage, which a server cannot read. */
const AVOW_COOKIE_BYTES_MAX = 8192;

/** The lifetime of answers where the configuration has none, as in the widget. */
const AVOW_DAYS = 180;

/**
 * Whether a vendor may run for this visitor, as far as the request shows. True for vendors that need no consent.
 *
 * The output of a page that uses this depends on the visitor: exclude it from the page cache, or turn on "Cache each
 * answer separately".
 *
 * @param string $vendor The name of the vendor in Avow.
 * @return bool
 */
function avow_has_consent( $vendor ) {
	$published = avow_get_published();
	if ( isset( $published['vendors'][ $vendor ] ) && $published['vendors'][ $vendor ]['required'] ) {
		return true;
	}
	return true === avow_get_answer( $vendor );
}

/**
 * The visitor's valid answer for a vendor.
 *
 * @param string $vendor The name of the vendor.
 * @return bool|null Null if the visitor has not answered, or must be asked again since the offer has changed or the answer
 *                   has expired, and for a vendor that is not published.
 */
function avow_get_answer( $vendor ) {
	$answers = avow_get_answers();
	if ( ! avow_is_vendor( $vendor ) || ! isset( $answers[ $vendor ] ) || ! is_bool( $answers[ $vendor ] ) ) {
		return null;
	}
	$published = avow_get_published();
	// Before the first fetch, nothing is known of any vendor.
	if ( array() !== $published && ! isset( $published['vendors'][ $vendor ] ) ) {
		return null;
	}
	if ( avow_is_expired( $answers, isset( $published['days'] ) ? $published['days'] : AVOW_DAYS ) ) {
		return null;
	}
	$offers   = isset( $published['vendors'][ $vendor ] ) ? $published['vendors'][ $vendor ]['offers'] : '';
	$answered = isset( $answers['$$asked'] ) && is_array( $answers['$$asked'] ) && isset( $answers['$$asked'][ $vendor ] )
		? $answers['$$asked'][ $vendor ]
		: '';
	// The published file lists the digests of all offers that an answer is still valid for.
	if ( '' !== $offers && is_string( $answered ) && '' !== $answered && false === strpos( $offers, $answered ) ) {
		return null;
	}
	return $answers[ $vendor ];
}

/**
 * Whether answers are older than their lifetime. Not every browser deletes the cookie in time.
 *
 * @param array<string, mixed> $answers As `avow_get_answers`.
 * @param int                  $days    The lifetime.
 * @return bool False if they have no date, as in the widget.
 */
function avow_is_expired( array $answers, $days ) {
	if ( empty( $answers['$$date'] ) ) {
		return false;
	}
	$time = is_string( $answers['$$date'] ) ? strtotime( $answers['$$date'] ) : false;
	return false === $time || time() - $time > $days * DAY_IN_SECONDS;
}

/**
 * The content of the consent cookie, which the visitor may have changed: nothing but their own answers may depend on it.
 *
 * @return array<string, mixed> Empty if there is no valid one.
 */
function avow_get_answers() {
	$name = avow_get_settings()['cookie'];
	// phpcs:ignore WordPress.Security.ValidatedSanitizedInput.InputNotSanitized -- Parsed as JSON, and only booleans and digests are read.
	$text = isset( $_COOKIE[ $name ] ) && is_string( $_COOKIE[ $name ] ) ? wp_unslash( $_COOKIE[ $name ] ) : '';
	if ( '' === $text || strlen( $text ) > AVOW_COOKIE_BYTES_MAX ) {
		return array();
	}
	$answers = json_decode( $text, true, 4 );
	return is_array( $answers ) && ! empty( $answers['$$completed'] ) ? $answers : array();
}
