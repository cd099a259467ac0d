<?php
/**
 * Deletes everything that the plugin has stored, on every site of a network.
 *
 * @package Avow
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

/**
 * Deletes the options and the scheduled job of the current site.
 */
function avow_uninstall_site() {
	delete_option( 'avow_settings' );
	delete_option( 'avow_published' );
	wp_clear_scheduled_hook( 'avow_refresh' );
}

if ( is_multisite() ) {
	$avow_offset = 0;
	do {
		// In batches: a network may have thousands of sites.
		$avow_sites = get_sites(
			array(
				'fields' => 'ids',
				'number' => 100,
				'offset' => $avow_offset,
			)
		);
		foreach ( $avow_sites as $avow_site ) {
			switch_to_blog( $avow_site );
			avow_uninstall_site();
			restore_current_blog();
		}
		$avow_offset += 100;
	} while ( array() !== $avow_sites );
} else {
	avow_uninstall_site();
}
