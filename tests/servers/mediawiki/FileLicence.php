<?php
/**
 * The licence and the author of a picture, as the CommonsMetadata extension tells them: read from the rendered file page.
 *
 * The marks are those that templates of Wikimedia Commons put into their HTML: classes licensetpl_* in the licence box,
 * and a cell with an id fileinfotpl_* before the cell that it labels.
 */
class FileLicence {
	private const IN_LICENCE_BOX = [
		'licensetpl_short' => 'LicenseShortName',
		'licensetpl_long' => 'UsageTerms',
		'licensetpl_link' => 'LicenseUrl',
		'licensetpl_attr' => 'Attribution',
	];
	private const LABELLED = [
		'fileinfotpl_aut' => 'Artist',
		'fileinfotpl_desc' => 'ImageDescription',
		'fileinfotpl_src' => 'Credit',
		'fileinfotpl_date' => 'DateTimeOriginal',
	];

	/** Handle the hook GetExtendedMetadata. */
	public static function describe( array &$metadata, File $file ): void {
		$title = $file->getTitle();
		$page = \MediaWiki\MediaWikiServices::getInstance()->getWikiPageFactory()->newFromTitle( $title );
		$output = $page->exists() ? $page->getParserOutput( ParserOptions::newFromAnon() ) : false;
		if ( !$output ) {
			return;
		}
		$dom = new DOMDocument();
		$dom->loadHTML( '<?xml encoding="utf-8"?>' . $output->getText(), LIBXML_NOERROR );
		$nodes = new DOMXPath( $dom );
		foreach ( self::IN_LICENCE_BOX as $class => $field ) {
			$found = $nodes->query( "//*[contains(concat(' ', @class, ' '), ' $class ')]" )->item( 0 );
			if ( $found ) {
				$metadata[$field] = self::field( trim( $found->textContent ) );
			}
		}
		foreach ( self::LABELLED as $id => $field ) {
			$cell = $nodes->query( "//*[@id='$id']/following-sibling::td[1]" )->item( 0 );
			if ( $cell ) {
				$html = implode( '', array_map( [ $dom, 'saveHTML' ], iterator_to_array( $cell->childNodes ) ) );
				$metadata[$field] = self::field( trim( $html ) );
			}
		}
	}

	private static function field( string $value ): array {
		return [ 'value' => $value, 'source' => 'commons-desc-page' ];
	}
}
