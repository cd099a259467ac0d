<?php
/**
 * The widget's script in the head of every page, before all others.
 *
 * @package Avow
 */

defined( 'ABSPATH' ) || exit;

// Before the title, style sheets and scripts of WordPress, the theme and other plugins.
add_action( 'wp_head', 'avow_print_head', PHP_INT_MIN );

/**
 * Prints the preload of the published file, the script of automatic blocking if it is on, and the widget's script.
 */
function avow_print_head() {
	if ( ! avow_is_connected() || is_customize_preview() ) {
		return;
	}
	$settings = avow_get_settings();
	if ( $settings['blocking'] ) {
		// Keeps Chromium from requesting scripts ahead of the parser, before they can be held.
		echo '<meta http-equiv="Content-Security-Policy" content="">' . "\n";
		wp_print_script_tag(
			array(
				'src'        => esc_url_raw( avow_get_published_url( 'block.js' ) ),
				'data-block' => 'auto',
			) + avow_get_exclusion_attributes()
		);
	}
	if ( $settings['preload'] ) {
		printf( '<link rel="preload" as="fetch" crossorigin href="%s">' . "\n", esc_url( avow_get_published_url( 'json' ) ) );
	}
	$attributes = array(
		'src'          => esc_url_raw( $settings['service'] . '/widget.js' ),
		'data-project' => $settings['project'],
		'async'        => true,
	);
	if ( '' !== $settings['cdn'] ) {
		$attributes['data-cdn'] = $settings['cdn'];
	}
	if ( $settings['staging'] ) {
		$attributes['data-environment'] = 'staging';
	}
	if ( 'axeptio_cookies' !== $settings['cookie'] ) {
		$attributes['data-json-cookie-name'] = $settings['cookie'];
	}
	if ( $settings['identify'] && is_user_logged_in() ) {
		$attributes['data-token'] = avow_get_user_token( get_current_user_id() );
	}
	/**
	 * Filters the attributes of the widget's script, such as `data-cookies` or `data-token`.
	 *
	 * @param array<string, string|bool> $attributes Attributes by name. WordPress escapes them.
	 */
	$attributes = apply_filters( 'avow_script_attributes', $attributes );
	wp_print_script_tag( $attributes + avow_get_exclusion_attributes() );
}

/**
 * The token under which a user's answers are recorded. Nobody can guess it who does not know the secret keys of the site;
 * other keys give other tokens, and the user is asked again.
 *
 * @param int $user The identifier of the user.
 * @return string
 */
function avow_get_user_token( $user ) {
	return 'wp-' . hash_hmac( 'sha256', 'avow ' . get_current_blog_id() . ' ' . $user, wp_salt( 'auth' ) );
}
