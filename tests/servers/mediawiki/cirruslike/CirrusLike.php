<?php
/**
 * A search that behaves as CirrusSearch does towards a client, on SQLite's FTS5: what a query may say, how long it may be,
 * which fields count for how much, and snippets. It is no measure of how well Wikipedia's own ranking does.
 *
 * Two tables of the same six fields: cirrus_stemmed for plain words, cirrus_exact for phrases and word beginnings.
 * Pages that redirect are found by way of their target, in the field `redirects`, as it stands when the target is indexed.
 */
use MediaWiki\MediaWikiServices;
use Wikimedia\Rdbms\IDatabase;

class CirrusLike extends SearchEngine {
	private const LONGEST_QUERY = 300;
	/** CirrusSearch's own weights of these fields. */
	private const WEIGHTS = '20.0, 15.0, 5.0, 3.0, 1.0, 0.5';
	private const TABLES = [
		'cirrus_stemmed' => 'porter unicode61 remove_diacritics 2',
		'cirrus_exact' => 'unicode61 remove_diacritics 2',
	];

	public function supports( $feature ) {
		return $feature === 'search-update';
	}

	protected function doSearchText( $term ) {
		$length = mb_strlen( $term );
		if ( $length > self::LONGEST_QUERY ) {
			return Status::newFatal( 'cirrussearch-query-too-long', $length, self::LONGEST_QUERY );
		}
		[ $text, $namespaces ] = self::parseNamespacePrefixes( $term ) ?: [ $term, $this->namespaces ];
		$query = CirrusQuery::parse( $text );
		if ( !$query->asksForSomething() ) {
			return new CirrusHits( [], 0 );
		}
		$db = self::database( DB_REPLICA );
		$where = $query->condition( $db );
		if ( $namespaces ) {
			$where .= ' AND page_namespace IN (' . implode( ', ', array_map( 'intval', $namespaces ) ) . ')';
		}
		return $this->hits( $db, $query, $where );
	}

	private function hits( IDatabase $db, CirrusQuery $query, string $where ): CirrusHits {
		// CROSS JOIN keeps SQLite from walking `page` first, where bm25() and snippet() have no query to speak of.
		$from = "cirrus_stemmed CROSS JOIN page ON page_id = cirrus_stemmed.rowid WHERE $where";
		$snippet = "''";
		$order = 'page_id';
		if ( $query->ranksBy() !== '' ) {
			$from .= ' AND cirrus_stemmed MATCH ' . $db->addQuotes( $query->ranksBy() );
			$snippet = "snippet(cirrus_stemmed, 4, char(2), char(3), '', 24)";
			$order = 'bm25(cirrus_stemmed, ' . self::WEIGHTS . '), page_id';
		}
		$total = $db->query( "SELECT COUNT(*) AS n FROM $from", __METHOD__ )->fetchObject()->n;
		$rows = $db->query(
			"SELECT page_namespace, page_title, $snippet AS snippet FROM $from ORDER BY $order"
				. sprintf( ' LIMIT %d OFFSET %d', $this->limit, $this->offset ),
			__METHOD__
		);
		return new CirrusHits( $rows, (int)$total, $total ? '' : self::suggestion( $db, $query->ranksBy() ) );
	}

	/** The word of a title that begins with the same two letters and is at most two slips away from a word that no page has. */
	private static function suggestion( IDatabase $db, string $ranked ): string {
		$word = mb_strtolower( trim( $ranked, '"' ) );
		$best = '';
		foreach ( $db->selectFieldValues( 'page', 'page_title', [ 'page_namespace' => NS_MAIN ], __METHOD__ ) as $title ) {
			foreach ( explode( '_', mb_strtolower( $title ) ) as $other ) {
				$near = levenshtein( $word, $other );
				if ( substr( $other, 0, 2 ) === substr( $word, 0, 2 ) && $near <= 2 && ( !$best || $near < levenshtein( $word, $best ) ) ) {
					$best = $other;
				}
			}
		}
		return $best;
	}

	public function update( $id, $title, $text ) {
		$db = self::database( DB_PRIMARY );
		$this->delete( $id, $title );
		$page = MediaWikiServices::getInstance()->getWikiPageFactory()->newFromID( $id );
		if ( !$page || $page->isRedirect() ) {
			return;
		}
		$fields = implode( ', ', array_map( [ $db, 'addQuotes' ], CirrusDocument::of( $page, $db ) ) );
		foreach ( self::TABLES as $table => $_ ) {
			$db->query( sprintf( "INSERT INTO $table(rowid, %s) VALUES (%d, %s)", CirrusDocument::FIELDS, $id, $fields ), __METHOD__ );
		}
	}

	public function updateTitle( $id, $title ) {
	}

	public function delete( $id, $title ) {
		$db = self::database( DB_PRIMARY );
		foreach ( self::TABLES as $table => $tokenizer ) {
			$fields = CirrusDocument::FIELDS;
			$db->query( "CREATE VIRTUAL TABLE IF NOT EXISTS $table USING fts5($fields, tokenize = '$tokenizer')", __METHOD__ );
			$db->query( sprintf( "DELETE FROM $table WHERE rowid = %d", $id ), __METHOD__ );
		}
	}

	private static function database( int $which ): IDatabase {
		return MediaWikiServices::getInstance()->getDBLoadBalancer()->getConnection( $which );
	}
}
