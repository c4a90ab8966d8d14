<?php
/** The pages that were found, best first, and how many there are beyond those asked for. */
class CirrusHits extends SearchResultSet {
	private $total;
	private $suggestion;

	public function __construct( iterable $rows, int $total, string $suggestion = '' ) {
		parent::__construct();
		$this->total = $total;
		$this->suggestion = $suggestion;
		$this->results = [];
		foreach ( $rows as $row ) {
			$this->results[] = new CirrusHit( Title::makeTitle( $row->page_namespace, $row->page_title ), $row->snippet );
		}
	}

	public function extractResults() {
		return $this->results;
	}

	public function getTotalHits() {
		return $this->total;
	}

	public function hasSuggestion() {
		return $this->suggestion !== '';
	}

	public function getSuggestionQuery() {
		return $this->suggestion;
	}
}
