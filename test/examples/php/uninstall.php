<?php
/** Runs the uninstaller of the WordPress plugin on stand-ins of a network of 150 sites; prints what it deletes, as JSON. */

define('WP_UNINSTALL_PLUGIN', 'avow/avow.php');
$site = 1;
$deleted = [];

function is_multisite()
{
    return true;
}

function get_sites(array $query)
{
    return array_slice(range(1, 150), $query['offset'], $query['number']);
}

function switch_to_blog($id)
{
    $GLOBALS['site'] = $id;
}

function restore_current_blog()
{
    $GLOBALS['site'] = 1;
}

function delete_option($name)
{
    $GLOBALS['deleted'][] = $GLOBALS['site'] . ' ' . $name;
}

function wp_clear_scheduled_hook($name)
{
    delete_option($name);
}

require __DIR__ . '/../../../integrations/wordpress/avow/uninstall.php';
echo json_encode($deleted);
