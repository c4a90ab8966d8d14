<?php
/** A page that was found, with the words of the query marked in its snippet. */
class CirrusHit extends RevisionSearchResult {
	private const MARKS = [ "\x02" => '<span class="searchmatch">', "\x03" => '</span>' ];
	private $snippet;

	public function __construct( Title $title, string $snippet ) {
		parent::__construct( $title );
		$this->snippet = strtr( htmlspecialchars( $snippet ), self::MARKS );
	}

	public function getTextSnippet( $terms = [] ) {
		return $this->snippet;
	}
}
