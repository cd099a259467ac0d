<?php
/**
 * The screen under Settings → Avow.
 *
 * @package Avow
 */

defined( 'ABSPATH' ) || exit;

add_action( 'admin_menu', 'avow_add_settings_page' );
add_action( 'admin_post_avow_test', 'avow_handle_test' );
add_action( 'admin_init', 'avow_suggest_policy' );
add_filter( 'plugin_action_links_' . plugin_basename( AVOW_FILE ), 'avow_add_settings_link' );

/**
 * Adds the screen to the menu, for administrators.
 */
function avow_add_settings_page() {
	add_options_page( __( 'Avow', 'avow' ), __( 'Avow', 'avow' ), 'manage_options', 'avow', 'avow_render_settings_page' );
}

/**
 * Suggests a paragraph for the site's privacy policy (Settings → Privacy → Policy Guide).
 */
function avow_suggest_policy() {
	$text = __( 'Your answers about cookies and services are stored in your browser (axeptio_cookies, axeptio_authorized_vendors and axeptio_all_vendors, usually for 180 days) and sent to our own consent service, so that we can prove them. Each answer has a random identifier.', 'avow' );
	if ( avow_get_settings()['identify'] ) {
		$text .= ' ' . __( 'If you are signed in, the identifier is derived from your account, so that your answers apply on all of your devices.', 'avow' );
	}
	wp_add_privacy_policy_content( 'Avow', wp_kses_post( wpautop( $text ) ) );
}

/**
 * The address of the screen.
 *
 * @return string
 */
function avow_get_settings_url() {
	return admin_url( 'options-general.php?page=avow' );
}

/**
 * Adds a link to the list of plugins.
 *
 * @param string[] $links HTML.
 * @return string[]
 */
function avow_add_settings_link( $links ) {
	array_unshift( $links, sprintf( '<a href="%s">%s</a>', esc_url( avow_get_settings_url() ), esc_html__( 'Settings', 'avow' ) ) );
	return $links;
}

/**
 * Fetches the published file when an administrator asks for it, and returns to the screen with the result.
 */
function avow_handle_test() {
	if ( ! current_user_can( 'manage_options' ) ) {
		wp_die( esc_html__( 'Only administrators may test the connection.', 'avow' ), '', array( 'response' => 403 ) );
	}
	check_admin_referer( 'avow_test' );
	$result = avow_refresh_published();
	if ( is_wp_error( $result ) ) {
		add_settings_error( 'avow_settings', 'avow_test', $result->get_error_message(), 'error' );
	} else {
		$published = avow_get_published();
		$message   = sprintf(
			/* translators: 1: name of the project. 2: number of the published version. 3: number of vendors */
			_n( 'Connected to “%1$s”, version %2$d, with %3$d vendor.', 'Connected to “%1$s”, version %2$d, with %3$d vendors.', count( $published['vendors'] ), 'avow' ),
			$published['name'],
			$published['version'],
			count( $published['vendors'] )
		);
		add_settings_error( 'avow_settings', 'avow_test', $message, 'success' );
	}
	// WordPress's own way to show messages after a redirect.
	set_transient( 'settings_errors', get_settings_errors(), 30 );
	wp_safe_redirect( add_query_arg( 'settings-updated', 'true', avow_get_settings_url() ) );
	exit;
}

/**
 * Renders the screen.
 */
function avow_render_settings_page() {
	if ( ! current_user_can( 'manage_options' ) ) {
		return;
	}
	$settings  = avow_get_settings();
	$published = avow_get_published();
	echo '<div class="wrap"><h1>' . esc_html__( 'Avow', 'avow' ) . '</h1>';
	avow_render_introduction( $published );
	echo '<form action="options.php" method="post">';
	settings_fields( 'avow' );
	echo '<h2>' . esc_html__( 'Connection', 'avow' ) . '</h2><table class="form-table" role="presentation">';
	avow_render_text( 'service', __( 'Address of the service', 'avow' ), $settings['service'], __( 'Where your Avow runs, such as https://consent.example.', 'avow' ) );
	avow_render_text( 'project', __( 'Project identifier', 'avow' ), $settings['project'], __( 'In the snippet of the project in Avow, after data-project.', 'avow' ) );
	avow_render_text( 'cdn', __( 'Address of published files', 'avow' ), $settings['cdn'], __( 'Only if a CDN serves them. Usually empty.', 'avow' ) );
	avow_render_checkbox( 'staging', __( 'Environment', 'avow' ), $settings['staging'], __( 'Use what is published to staging', 'avow' ), '' );
	echo '</table><h2>' . esc_html__( 'Pages', 'avow' ) . '</h2><table class="form-table" role="presentation">';
	avow_render_checkbox( 'blocking', __( 'Automatic blocking', 'avow' ), $settings['blocking'], __( 'Hold scripts, frames and pictures by the hosts of each vendor', 'avow' ), __( 'Tags of the theme and of other plugins need no change. The vendors need hosts in Avow.', 'avow' ) );
	avow_render_checkbox( 'preload', __( 'Preload', 'avow' ), $settings['preload'], __( 'Load the published file together with the script', 'avow' ), __( 'The banner appears sooner.', 'avow' ) );
	avow_render_checkbox( 'vary', __( 'Page cache', 'avow' ), $settings['vary'], __( 'Cache each combination of answers separately', 'avow' ), __( 'Only if the theme or a plugin asks for consent on the server. Works with WP Rocket and LiteSpeed Cache.', 'avow' ) );
	avow_render_checkbox( 'identify', __( 'Signed-in users', 'avow' ), $settings['identify'], __( 'Remember their answers on all of their devices', 'avow' ), __( 'Answers are recorded under an identifier that is derived from the account. Not for sites that cache pages of signed-in users.', 'avow' ) );
	avow_render_text( 'cookie', __( 'Name of the cookie', 'avow' ), $settings['cookie'], __( 'As in the configuration of the project (jsonCookieName).', 'avow' ) );
	echo '</table>';
	avow_render_categories( $settings, $published );
	submit_button();
	echo '</form>';
	avow_render_test( $published );
	echo '</div>';
}

/**
 * Explains the first steps to an administrator whose site is not connected.
 *
 * @param array<string, mixed> $published As `avow_get_published`.
 */
function avow_render_introduction( array $published ) {
	if ( avow_is_connected() && array() !== $published ) {
		return;
	}
	echo '<div class="card"><h2>' . esc_html__( 'Connect this site', 'avow' ) . '</h2><ol>';
	foreach (
		array(
			__( 'In Avow, create a project for this site, with a cookie configuration.', 'avow' ),
			__( 'Publish the project.', 'avow' ),
			__( 'Copy the address of the service and the project identifier from the snippet, and save them below.', 'avow' ),
			__( 'Open the site in a private window: the banner appears.', 'avow' ),
		) as $step
	) {
		echo '<li>' . esc_html( $step ) . '</li>';
	}
	echo '</ol></div>';
}

/**
 * A row with a text field.
 *
 * @param string $name  The setting.
 * @param string $label Its label.
 * @param string $value Its value.
 * @param string $help  A sentence below it.
 */
function avow_render_text( $name, $label, $value, $help ) {
	printf(
		'<tr><th scope="row"><label for="avow-%1$s">%2$s</label></th><td><input class="regular-text code" type="text" id="avow-%1$s" name="avow_settings[%1$s]" value="%3$s" aria-describedby="avow-%1$s-help" autocomplete="off" spellcheck="false"><p class="description" id="avow-%1$s-help">%4$s</p></td></tr>',
		esc_attr( $name ),
		esc_html( $label ),
		esc_attr( $value ),
		esc_html( $help )
	);
}

/**
 * A row with a checkbox.
 *
 * @param string $name       The setting.
 * @param string $heading    The heading of the row.
 * @param bool   $is_checked Its value.
 * @param string $label      The label of the checkbox.
 * @param string $help       A sentence below it, if any.
 */
function avow_render_checkbox( $name, $heading, $is_checked, $label, $help ) {
	printf(
		'<tr><th scope="row">%1$s</th><td><label><input type="checkbox" name="avow_settings[%2$s]" value="1"%3$s> %4$s</label>%5$s</td></tr>',
		esc_html( $heading ),
		esc_attr( $name ),
		checked( $is_checked, true, false ),
		esc_html( $label ),
		'' === $help ? '' : '<p class="description">' . esc_html( $help ) . '</p>'
	);
}

/**
 * The mapping of vendors to categories of the WP Consent API.
 *
 * @param array<string, mixed> $settings  As `avow_get_settings`.
 * @param array<string, mixed> $published As `avow_get_published`.
 */
function avow_render_categories( array $settings, array $published ) {
	echo '<h2>' . esc_html__( 'Other plugins', 'avow' ) . '</h2><p>';
	echo function_exists( 'wp_has_consent' )
		? esc_html__( 'The plugin WP Consent API is active: other plugins receive the answer by category. A category is allowed when all of its vendors are accepted.', 'avow' )
		: esc_html__( 'Install the plugin “WP Consent API” so that other plugins receive the answer by category. A category is allowed when all of its vendors are accepted.', 'avow' );
	echo '</p>';
	$names = array(
		'preferences'          => __( 'Preferences', 'avow' ),
		'statistics-anonymous' => __( 'Anonymous statistics', 'avow' ),
		'statistics'           => __( 'Statistics', 'avow' ),
		'marketing'            => __( 'Marketing', 'avow' ),
	);
	$asked = array_filter(
		isset( $published['vendors'] ) ? $published['vendors'] : array(),
		static function ( $vendor ) {
			return ! $vendor['required'];
		}
	);
	if ( array() === $asked ) {
		echo '<p><em>' . esc_html__( 'The vendors appear here once the site is connected.', 'avow' ) . '</em></p>';
		return;
	}
	echo '<table class="form-table" role="presentation">';
	foreach ( $asked as $name => $vendor ) {
		$name  = (string) $name;
		$saved = isset( $settings['categories'][ $name ] ) ? $settings['categories'][ $name ] : '';
		printf(
			'<tr><th scope="row"><label for="avow-vendor-%1$s">%2$s</label></th><td><select id="avow-vendor-%1$s" name="avow_settings[categories][%1$s]"><option value="">%3$s</option>',
			esc_attr( $name ),
			esc_html( '' === $vendor['title'] ? $name : $vendor['title'] ),
			esc_html__( 'No category', 'avow' )
		);
		foreach ( AVOW_CATEGORIES as $category ) {
			printf( '<option value="%s"%s>%s</option>', esc_attr( $category ), selected( $saved, $category, false ), esc_html( $names[ $category ] ) );
		}
		echo '</select></td></tr>';
	}
	echo '</table>';
}

/**
 * The form that tests the connection, and the date of the last success.
 *
 * @param array<string, mixed> $published As `avow_get_published`.
 */
function avow_render_test( array $published ) {
	if ( ! avow_is_connected() ) {
		return;
	}
	echo '<h2>' . esc_html__( 'Test', 'avow' ) . '</h2><p>';
	if ( array() === $published ) {
		esc_html_e( 'The published file has not been read yet.', 'avow' );
	} else {
		echo esc_html(
			sprintf(
				/* translators: 1: number of the published version. 2: name of the project. 3: date and time */
				__( 'Version %1$d of “%2$s” was read on %3$s.', 'avow' ),
				$published['version'],
				$published['name'],
				wp_date( get_option( 'date_format' ) . ' ' . get_option( 'time_format' ), $published['time'] )
			)
		);
	}
	echo '</p><form action="' . esc_url( admin_url( 'admin-post.php' ) ) . '" method="post"><input type="hidden" name="action" value="avow_test">';
	wp_nonce_field( 'avow_test' );
	submit_button( __( 'Test the connection', 'avow' ), 'secondary', 'avow_test', false );
	echo '</form>';
}
