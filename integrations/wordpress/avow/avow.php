<?php
/**
 * Plugin Name:       Avow
 * Description:       Asks visitors for consent with the Avow service that you host, holds content until a service is accepted, and passes the answer to other plugins.
 * Version:           0.2.0
 * Requires at least: 6.0
 * Requires PHP:      7.4
 * Author:            The Avow authors
 * License:           Apache-2.0
 * License URI:       https://www.apache.org/licenses/LICENSE-2.0
 * Text Domain:       avow
 * Domain Path:       /languages
 *
 * Apache-2.0 is compatible with version 3 of the GNU GPL. Together with WordPress ("version 2 or any later version"),
 * this plugin is distributed under GPL-3.0-or-later.
 *
 * @package Avow
 */

defined( 'ABSPATH' ) || exit;

define( 'AVOW_VERSION', '0.2.0' );
define( 'AVOW_FILE', __FILE__ );

require __DIR__ . '/includes/settings.php';
require __DIR__ . '/includes/published.php';
require __DIR__ . '/includes/consent.php';
require __DIR__ . '/includes/consent-api.php';
require __DIR__ . '/includes/head.php';
require __DIR__ . '/includes/blocking.php';
require __DIR__ . '/includes/caches.php';
require __DIR__ . '/includes/blocks.php';
if ( is_admin() ) {
	require __DIR__ . '/includes/settings-screen.php';
}

add_action( 'init', 'avow_load_translations', 1 );

/**
 * Loads the translations that come with the plugin.
 */
function avow_load_translations() {
	load_plugin_textdomain( 'avow', false, dirname( plugin_basename( AVOW_FILE ) ) . '/languages' );
}

register_deactivation_hook( __FILE__, 'avow_deactivate' );

/**
 * Ends the refresh of the published file. Settings stay until the plugin is deleted.
 */
function avow_deactivate() {
	wp_clear_scheduled_hook( 'avow_refresh' );
}
