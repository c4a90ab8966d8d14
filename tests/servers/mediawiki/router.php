<?php
/**
 * What PHP's built-in server does with a request: /wiki/Any/title? goes to index.php as on Wikipedia, the rest is files.
 */
$path = rawurldecode( parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH ) ?: '/' );
if ( $path !== '/' && !str_starts_with( $path, '/wiki/' ) ) {
	return false;
}
$index = $_SERVER['DOCUMENT_ROOT'] . '/w/index.php';
$_SERVER['SCRIPT_NAME'] = '/w/index.php';
$_SERVER['PHP_SELF'] = '/w/index.php';
$_SERVER['SCRIPT_FILENAME'] = $index;
chdir( dirname( $index ) );
require $index;
