<?php
/**
 * What a search asks for, read from the words that CirrusSearch's users write.
 *
 *   one two        both words, in any form            "one two"      next to each other, as written
 *   one OR two     either                             one*           words that begin so
 *   -one, !one     pages without it, also NOT one     intitle:one    in the title, also intitle:"one two"
 */
use Wikimedia\Rdbms\IDatabase;

class CirrusQuery {
	private const TERM = '/(?<without>[-!]?)(?<title>intitle:\s*)?(?:"(?<phrase>[^"]*)"?|(?<word>[^\s"]+))/u';
	/** The words that Lucene's English analyser leaves out. */
	private const STOP_WORDS = [
		'a', 'an', 'and', 'are', 'as', 'at', 'be', 'but', 'by', 'for', 'if', 'in', 'into', 'is', 'it', 'no', 'not', 'of', 'on',
		'or', 'such', 'that', 'the', 'their', 'then', 'there', 'these', 'they', 'this', 'to', 'was', 'will', 'with',
	];

	/** @var array[] each a list of [ table, FTS5 expression ], of which a page has to match one */
	private $wanted = [];
	/** @var array[] [ table, FTS5 expression ] that a page may not match */
	private $unwanted = [];

	public static function parse( string $text ): self {
		$text = strtr( $text, [ '“' => '"', '”' => '"', '’' => "'" ] );
		preg_match_all( self::TERM, $text, $terms, PREG_SET_ORDER | PREG_UNMATCHED_AS_NULL );
		$telling = array_filter( $terms, static fn ( $term ) => !self::isStopWord( $term ) );
		return self::of( $telling ?: $terms );
	}

	private static function of( array $terms ): self {
		$query = new self();
		$either = $negated = false;
		foreach ( $terms as $term ) {
			if ( in_array( $term['word'], [ 'OR', 'AND', 'NOT' ], true ) ) {
				$either = $term['word'] === 'OR';
				$negated = $term['word'] === 'NOT';
				continue;
			}
			$match = self::match( $term );
			if ( $match && ( $negated || $term['without'] !== '' ) ) {
				$query->unwanted[] = $match;
			} elseif ( $match && $either && $query->wanted ) {
				$query->wanted[ array_key_last( $query->wanted ) ][] = $match;
			} elseif ( $match ) {
				$query->wanted[] = [ $match ];
			}
			$either = $negated = false;
		}
		return $query;
	}

	private static function isStopWord( array $term ): bool {
		$word = $term['word'] ?? '';
		$operator = in_array( $word, [ 'OR', 'AND', 'NOT' ], true );
		return !$operator && $term['title'] === null && in_array( mb_strtolower( $word ), self::STOP_WORDS, true );
	}

	/** The table and the expression that find one term; null where it has neither letter nor digit. */
	private static function match( array $term ): ?array {
		$begins = str_ends_with( $term['word'] ?? '', '*' );
		// "keeper's" asks for the keeper; within quotation marks it asks for what is written there.
		$words = $term['phrase'] ?? preg_replace( "/'s$/u", '', rtrim( $term['word'], '*' ) );
		if ( !preg_match( '/[\p{L}\p{N}]/u', $words ) ) {
			return null;
		}
		$table = $begins || $term['phrase'] !== null ? 'cirrus_exact' : 'cirrus_stemmed';
		return [ $table, ( $term['title'] !== null ? 'title : ' : '' ) . '"' . $words . '"' . ( $begins ? ' *' : '' ) ];
	}

	public function asksForSomething(): bool {
		return $this->wanted || $this->unwanted;
	}

	/** The FTS5 expression whose words decide the order; empty where the query only says what it does not want. */
	public function ranksBy(): string {
		return implode( ' OR ', array_column( array_merge( ...$this->wanted ), 1 ) );
	}

	/** The SQL condition on `page` that all of the query makes. */
	public function condition( IDatabase $db ): string {
		$in = static fn ( $match ) => "page_id IN (SELECT rowid FROM {$match[0]} WHERE {$match[0]} MATCH " . $db->addQuotes( $match[1] ) . ')';
		$all = [];
		foreach ( $this->wanted as $any ) {
			$all[] = '(' . implode( ' OR ', array_map( $in, $any ) ) . ')';
		}
		foreach ( $this->unwanted as $match ) {
			$all[] = 'NOT ' . $in( $match );
		}
		return implode( ' AND ', $all );
	}
}
