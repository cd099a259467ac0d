<?php
/**
 * Blocks of the editor, rendered on the server. Their output is the same for every visitor, so that pages can be cached:
 * the widget shows and releases them.
 *
 * @package Avow
 */

defined( 'ABSPATH' ) || exit;

add_action( 'init', 'avow_register_blocks' );

/**
 * Registers the blocks and the editor's script.
 */
function avow_register_blocks() {
	wp_register_script(
		'avow-editor',
		plugins_url( 'assets/editor.js', AVOW_FILE ),
		array( 'wp-block-editor', 'wp-blocks', 'wp-components', 'wp-element', 'wp-i18n' ),
		AVOW_VERSION,
		true
	);
	wp_set_script_translations( 'avow-editor', 'avow', dirname( AVOW_FILE ) . '/languages' );
	wp_register_style( 'avow-blocks', plugins_url( 'assets/blocks.css', AVOW_FILE ), array(), AVOW_VERSION );
	foreach ( array( 'consent-form', 'contract-form', 'embed', 'settings-link' ) as $name ) {
		register_block_type(
			dirname( AVOW_FILE ) . '/blocks/' . $name,
			array( 'render_callback' => 'avow_render_' . str_replace( '-', '_', $name ) )
		);
	}
}

add_action( 'enqueue_block_editor_assets', 'avow_enqueue_editor_data' );

/**
 * Gives the editor the vendors and forms to choose from.
 */
function avow_enqueue_editor_data() {
	$published = avow_get_published();
	$vendors   = array();
	foreach ( isset( $published['vendors'] ) ? $published['vendors'] : array() as $name => $vendor ) {
		$vendors[] = array(
			'name'  => (string) $name,
			'title' => $vendor['title'],
			'hosts' => $vendor['hosts'],
		);
	}
	$data = array(
		'vendors'     => $vendors,
		'forms'       => isset( $published['forms'] ) ? $published['forms'] : array(),
		'settingsUrl' => current_user_can( 'manage_options' ) ? admin_url( 'options-general.php?page=avow' ) : '',
	);
	wp_add_inline_script( 'avow-editor', 'window.avowEditor = ' . wp_json_encode( $data, JSON_HEX_TAG | JSON_HEX_AMP ) . ';', 'before' );
}

/**
 * A consent form.
 *
 * @param array<string, mixed> $attributes Attributes of the block.
 * @return string HTML.
 */
function avow_render_consent_form( $attributes ) {
	return avow_render_form( 'processing', $attributes );
}

/**
 * A contract form.
 *
 * @param array<string, mixed> $attributes Attributes of the block.
 * @return string HTML.
 */
function avow_render_contract_form( $attributes ) {
	return avow_render_form( 'contract', $attributes );
}

/**
 * The element that the widget fills with a form.
 *
 * @param string               $kind       `processing` or `contract`.
 * @param array<string, mixed> $attributes Attributes of the block.
 * @return string HTML; empty if no form is chosen.
 */
function avow_render_form( $kind, $attributes ) {
	$form = isset( $attributes['form'] ) ? $attributes['form'] : '';
	if ( ! avow_is_form( $form ) ) {
		return '';
	}
	return sprintf( '<div %s data-avow="%s"></div>', get_block_wrapper_attributes(), esc_attr( $kind . ':' . $form ) );
}

/**
 * A frame that is held until its vendor is accepted.
 *
 * @param array<string, mixed> $attributes Attributes of the block.
 * @return string HTML; empty if the address is not one of the vendor.
 */
function avow_render_embed( $attributes ) {
	$vendor  = isset( $attributes['vendor'] ) ? $attributes['vendor'] : '';
	$address = avow_sanitize_embed( isset( $attributes['url'] ) ? $attributes['url'] : '' );
	if ( ! avow_is_vendor( $vendor ) || '' === $address || ! avow_is_embed_allowed( $address, $vendor ) ) {
		return '';
	}
	$ratios  = array( '16/9', '4/3', '1/1', '9/16' );
	$ratio   = isset( $attributes['ratio'] ) && in_array( $attributes['ratio'], $ratios, true ) ? $attributes['ratio'] : $ratios[0];
	$title   = isset( $attributes['title'] ) && is_string( $attributes['title'] ) ? $attributes['title'] : '';
	$preview = isset( $attributes['preview'] ) && is_string( $attributes['preview'] ) ? $attributes['preview'] : '';
	// Readers of feeds have no widget, and browsers without scripts neither: there the visitor decides by following a link.
	$link = sprintf(
		'<a href="%1$s" rel="noopener nofollow">%2$s</a>',
		esc_url( $address, array( 'https' ) ),
		esc_html( '' === $title ? wp_parse_url( $address, PHP_URL_HOST ) : $title )
	);
	if ( is_feed() ) {
		return '<p>' . $link . '</p>';
	}
	return sprintf(
		'<figure %1$s><iframe data-avow-vendor="%2$s" data-src="%3$s"%4$s title="%5$s" style="aspect-ratio:%6$s" referrerpolicy="strict-origin-when-cross-origin" allowfullscreen></iframe><noscript>%7$s</noscript></figure>',
		get_block_wrapper_attributes(),
		esc_attr( $vendor ),
		esc_url( $address, array( 'https' ) ),
		// Pictures of other hosts would tell them of the visit; the widget ignores those.
		'' === $preview ? '' : sprintf( ' data-preview="%s"', esc_url( $preview, array( 'http', 'https' ) ) ),
		esc_attr( $title ),
		esc_attr( $ratio ),
		$link
	);
}

/**
 * The address of a frame, which must be encrypted.
 *
 * @param mixed $address As entered.
 * @return string Empty if it is not valid.
 */
function avow_sanitize_embed( $address ) {
	$address = is_string( $address ) ? esc_url_raw( trim( $address ), array( 'https' ) ) : '';
	$parts   = wp_parse_url( $address );
	// WordPress lets addresses without a scheme pass.
	$is_encrypted = is_array( $parts ) && isset( $parts['scheme'] ) && 'https' === $parts['scheme'];
	return $is_encrypted && ! empty( $parts['host'] ) && ! isset( $parts['user'] ) ? $address : '';
}

/**
 * Whether an address is one of those that the vendor declares in Avow (`hosts`). Without this rule, every contributor
 * could put any page into the site: WordPress lets only administrators and editors write frames.
 *
 * @param string $address The valid address of a frame.
 * @param string $vendor  The name of the vendor.
 * @return bool
 */
function avow_is_embed_allowed( $address, $vendor ) {
	$published  = avow_get_published();
	$hosts      = isset( $published['vendors'][ $vendor ] ) ? $published['vendors'][ $vendor ]['hosts'] : array();
	$parts      = wp_parse_url( $address );
	$host       = strtolower( $parts['host'] );
	$path       = isset( $parts['path'] ) ? $parts['path'] : '/';
	$is_allowed = false;
	if ( ! avow_is_literal( $address, $path ) ) {
		$hosts = array();
	}
	foreach ( $hosts as $pattern ) {
		if ( ! preg_match( '#^(\*\.)?([^:/*]+)(?::(\d+))?(/.*)?$#D', $pattern, $rule ) ) {
			continue;
		}
		$name        = strtolower( $rule[2] );
		$is_host     = $host === $name || ( '' !== $rule[1] && substr( $host, -strlen( $name ) - 1 ) === '.' . $name );
		$is_port     = empty( $rule[3] ) || ( isset( $parts['port'] ) ? $parts['port'] : 443 ) === (int) $rule[3];
		$is_path     = ! isset( $rule[4] ) || 0 === strpos( $path, $rule[4] );
		$is_allowed |= $is_host && $is_port && $is_path;
	}
	/**
	 * Filters whether a frame may be embedded.
	 *
	 * @param bool   $is_allowed Whether the address is one of the vendor's.
	 * @param string $address    The address of the frame, with https.
	 * @param string $vendor     The name of the vendor.
	 */
	return (bool) apply_filters( 'avow_is_embed_allowed', (bool) $is_allowed, $address, $vendor );
}

/**
 * Whether browsers load the path of an address as it is written. They resolve dot segments, also encoded ones, and
 * attributes of HTML decode character references: a rule for a path would then hold for another page.
 *
 * @param string $address The address.
 * @param string $path    Its path.
 * @return bool
 */
function avow_is_literal( $address, $path ) {
	return false === strpos( $address, '&#' )
		&& 1 !== preg_match( '~(^|/)(\.|%(25)*2e){1,2}(/|$)|\\\\|%(25)*(2f|5c)~i', $path );
}

/**
 * The link that opens the preference center.
 *
 * @param array<string, mixed> $attributes Attributes of the block.
 * @return string HTML.
 */
function avow_render_settings_link( $attributes ) {
	$label = isset( $attributes['label'] ) && is_string( $attributes['label'] ) && '' !== trim( $attributes['label'] )
		? $attributes['label']
		: __( 'Cookie settings', 'avow' );
	return sprintf( '<p %s><button type="button" class="avow-settings-link" data-avow-open>%s</button></p>', get_block_wrapper_attributes(), esc_html( $label ) );
}
