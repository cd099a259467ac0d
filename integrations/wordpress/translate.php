<?php
/**
 * Writes the translations of the plugin: the template (.pot), the updated .po files, their .mo files, and the JSON files
 * of the editor's script. Needs the programs of GNU gettext.
 *
 *     php integrations/wordpress/translate.php
 *
 * New texts have an empty translation in the .po files. Translate them, and run this again. The same sources give the
 * same files, byte by byte.
 */

// phpcs:disable -- A tool of the repository, not part of the plugin.

$folder    = isset( $argv[1] ) ? $argv[1] : __DIR__ . '/avow';
$languages = $folder . '/languages';
$pot       = $languages . '/avow.pot';
$work      = sys_get_temp_dir() . '/avow-translate-' . getmypid();
$header    = <<<'HEADER'
# Texts of the plugin Avow.
# Copyright (C) The Avow authors
# This file is distributed under the same license as the plugin.
msgid ""
msgstr ""
"Project-Id-Version: Avow\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"
"X-Domain: avow\n"

HEADER;
mkdir( $work, 0700 );
chdir( $folder );

/** Runs a program of gettext; ends with its status if it fails. */
function run( string ...$words ): void {
	passthru( implode( ' ', array_map( 'escapeshellarg', $words ) ), $status );
	if ( 0 !== $status ) {
		exit( $status );
	}
}

/** Extracts the texts of source files into a template. */
function extract_texts( string $language, string $template, array $files ): void {
	$keywords = array( '__:1', '_n:1,2', '_x:1,2c', 'esc_html__:1', 'esc_html_e:1', 'esc_attr__:1' );
	run(
		'xgettext', '--from-code=UTF-8', '--language=' . $language, '--output=' . $template,
		'--add-comments=translators', '--add-location=file', '--sort-by-file', '--no-wrap', '--force-po', '--keyword',
		...array_map( fn( $keyword ) => '--keyword=' . $keyword, $keywords ),
		...$files
	);
}

/** The plugin's description, and the texts of block.json, which WordPress translates with these contexts. */
function extract_blocks( string $file ): void {
	preg_match( '/Description: +(.+)/', file_get_contents( 'avow.php' ), $description );
	$lines = array( sprintf( '__( %s );', var_export( $description[1], true ) ) );
	foreach ( glob( 'blocks/*/block.json' ) as $path ) {
		$block = json_decode( file_get_contents( $path ), true );
		$texts = array( array( $block['title'], 'block title' ), array( $block['description'], 'block description' ) );
		foreach ( $block['keywords'] as $keyword ) {
			$texts[] = array( $keyword, 'block keyword' );
		}
		foreach ( $texts as list( $text, $context ) ) {
			$lines[] = sprintf( '_x( %s, %s );', var_export( $text, true ), var_export( $context, true ) );
		}
	}
	file_put_contents( $file, "<?php\n" . implode( "\n", $lines ) . "\n" );
}

/** The translations of a .mo file, by text: the plural forms of each (https://www.gnu.org/software/gettext/manual/html_node/MO-Files.html). */
function read_mo( string $file ): array {
	$bytes = file_get_contents( $file );
	list( , $count, $texts, $translations ) = array_values( unpack( 'V4', $bytes, 4 ) );
	$read = function ( int $table, int $index ) use ( $bytes ): string {
		list( $length, $offset ) = array_values( unpack( 'V2', $bytes, $table + 8 * $index ) );
		return substr( $bytes, $offset, $length );
	};
	$found = array();
	for ( $index = 0; $index < $count; $index++ ) {
		$found[ explode( "\0", $read( $texts, $index ) )[0] ] = explode( "\0", $read( $translations, $index ) );
	}
	return $found;
}

extract_blocks( $work . '/blocks.php' );
extract_texts( 'PHP', $work . '/php.pot', array_merge( array( 'avow.php' ), glob( 'includes/*.php' ), array( $work . '/blocks.php' ) ) );
extract_texts( 'JavaScript', $work . '/js.pot', array( 'assets/editor.js' ) );
run( 'xgettext', '--from-code=UTF-8', '--output=' . $pot, '--sort-by-file', '--no-wrap', '--add-location=file', $work . '/php.pot', $work . '/js.pot' );
// Without the current time and the folder of this run, the result depends on the sources only.
list( , $texts ) = explode( "\n\n", file_get_contents( $pot ), 2 );
file_put_contents( $pot, $header . "\n" . str_replace( $work . '/blocks.php', 'blocks/*/block.json', $texts ) );

foreach ( glob( $languages . '/avow-*.po' ) as $po ) {
	run( 'msgmerge', '--quiet', '--update', '--backup=none', '--no-wrap', '--no-fuzzy-matching', $po, $pot );
	$base = substr( $po, 0, -3 );
	run( 'msgfmt', '--check-format', '--output-file=' . $base . '.mo', $po );
	run( 'msgmerge', '--quiet', '--no-fuzzy-matching', '--output-file=' . $work . '/js.po', $po, $work . '/js.pot' );
	run( 'msgattrib', '--translated', '--no-obsolete', '--output-file=' . $work . '/js.po', $work . '/js.po' );
	run( 'msgfmt', '--output-file=' . $work . '/js.mo', $work . '/js.po' );
	$messages = read_mo( $work . '/js.mo' );
	preg_match( '/^Plural-Forms: (.*)$/m', $messages[''][0], $plural );
	unset( $messages[''] );
	ksort( $messages );
	$language = substr( basename( $base ), strlen( 'avow-' ) );
	$head     = array( '' => array( 'domain' => 'messages', 'lang' => $language, 'plural-forms' => $plural[1] ) );
	$json     = array( 'domain' => 'messages', 'locale_data' => array( 'messages' => $head + $messages ) );
	file_put_contents( $base . '-avow-editor.json', json_encode( $json, JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES ) . "\n" );
}
array_map( 'unlink', glob( $work . '/*' ) );
rmdir( $work );
