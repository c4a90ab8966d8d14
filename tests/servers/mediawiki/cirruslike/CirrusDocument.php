<?php
/** What of a page is searched: the fields that CirrusSearch takes from its rendered text. */
use Wikimedia\Rdbms\IDatabase;

class CirrusDocument {
	public const FIELDS = 'title, redirects, headings, opening, content, auxiliary';

	private const NEVER_SEARCHED = '//style | //script | //comment() | //*[@id="toc"]
		| //*[contains(@class, "mw-editsection") or self::sup and contains(@class, "reference")]
		| //*[contains(@class, "navigation-not-searchable") or contains(@class, "mw-empty-elt")]';
	private const AUXILIARY = '//table[not(ancestor::table)] | //figure | //ul[contains(@class, "gallery")]';
	private const BLOCKS = '//p | //li | //dt | //dd | //td | //th | //tr | //div | //br | //figcaption | //caption
		| //h1 | //h2 | //h3 | //h4 | //h5 | //h6';

	/** @return string[] the texts of the fields, in the order of FIELDS */
	public static function of( WikiPage $page, IDatabase $db ): array {
		$title = $page->getTitle();
		$output = $page->getParserOutput( ParserOptions::newFromAnon() );
		$dom = new DOMDocument();
		$dom->loadHTML( '<?xml encoding="utf-8"?><div>' . ( $output ? $output->getText() : '' ) . '</div>', LIBXML_NOERROR );
		$nodes = new DOMXPath( $dom );
		self::cut( $nodes, self::NEVER_SEARCHED );
		foreach ( $nodes->query( self::BLOCKS ) as $block ) {
			$block->parentNode->insertBefore( $dom->createTextNode( ' ' ), $block );
		}
		$headings = self::texts( $nodes->query( '//h2 | //h3 | //h4 | //h5 | //h6' ) );
		$auxiliary = self::cut( $nodes, self::AUXILIARY );
		$opening = self::texts( $nodes->query( $headings ? '(//h2)[1]/preceding::p' : '//p' ) );
		$fields = [ $title->getPrefixedText(), self::redirectsTo( $title, $db ), $headings, $opening, $dom->textContent, $auxiliary ];
		return array_map( static fn ( $text ) => trim( preg_replace( '/\s+/u', ' ', $text ) ), $fields );
	}

	/** Take the nodes out of the page and give their text. */
	private static function cut( DOMXPath $nodes, string $which ): string {
		$found = iterator_to_array( $nodes->query( $which ) );
		$text = self::texts( $found );
		foreach ( $found as $node ) {
			$node->parentNode->removeChild( $node );
		}
		return $text;
	}

	private static function texts( iterable $found ): string {
		$texts = [];
		foreach ( $found as $node ) {
			$texts[] = $node->textContent;
		}
		return implode( ' ', $texts );
	}

	private static function redirectsTo( Title $title, IDatabase $db ): string {
		$names = $db->selectFieldValues(
			[ 'redirect', 'page' ],
			'page_title',
			[ 'rd_namespace' => $title->getNamespace(), 'rd_title' => $title->getDBkey(), 'page_id = rd_from' ],
			__METHOD__
		);
		return strtr( implode( ' · ', $names ), '_', ' ' );
	}
}
