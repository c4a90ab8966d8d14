<?php
/**
 * Settings of the test wiki. The environment says the rest: MW_DATA (its data folder), MW_SEARCH (plain, cirruslike; both
 * are indexed whichever serves), MW_PORT, and MW_INDEX=later while pages are imported that will all be indexed at once.
 */
if ( !defined( 'MEDIAWIKI' ) ) {
	exit;
}
$data = getenv( 'MW_DATA' );
$port = getenv( 'MW_PORT' ) ?: '80';

$wgSitename = 'Marrowdale Wiki';
$wgLanguageCode = 'en';
$wgSecretKey = 'loopback-only';
$wgScriptPath = '/w';
$wgArticlePath = '/wiki/$1';
// As asked for, so that a proxy before the wiki sees the requests for pictures and pages too.
$host = $_SERVER['HTTP_HOST'] ?? '';
$wgServer = 'http://' . ( preg_match( '/^(127\.0\.0\.1|localhost):\d+$/', $host ) ? $host : "127.0.0.1:$port" );

wfLoadSkin( 'Vector' );
wfLoadExtensions( [ 'Cite', 'ParserFunctions', 'TextExtracts', 'PageImages', 'Scribunto' ] );
$wgScribuntoDefaultEngine = 'luasandbox';

// A wiki that can be built again needs no disk sync.
$unsafe = [ 'synchronous' => 'OFF', 'journal_mode' => 'MEMORY' ];
$wgDBtype = 'sqlite';
$wgDBname = 'wiki';
$wgSQLiteDataDir = $data;
$wgDBservers = [ [
	'type' => 'sqlite', 'dbname' => 'wiki', 'dbDirectory' => $data, 'load' => 1, 'flags' => DBO_DEFAULT, 'variables' => $unsafe,
] ];
$wgJobTypeConf['default'] = [ 'class' => JobQueueDB::class, 'order' => 'random', 'claimTTL' => 3600 ];
$wgMainCacheType = PHP_SAPI === 'cli' ? CACHE_HASH : CACHE_ACCEL;
$wgParserCacheType = $wgMessageCacheType = $wgSessionCacheType = $wgMainCacheType;
$wgCacheDirectory = "$data/cache";
$wgJobRunRate = 0;

$wgEnableUploads = true;
$wgUploadDirectory = "$data/site/images";
$wgUploadPath = '/images';
$wgFileExtensions = [ 'png', 'gif', 'jpg', 'jpeg', 'webp', 'svg' ];
$wgUseImageMagick = false;
$wgSVGConverter = 'rsvg';
$wgMaxImageArea = 50e6;
$wgAutoloadClasses['WebPThumbnail'] = __DIR__ . '/WebPThumbnail.php';
$wgHooks['BitmapHandlerTransform'][] = 'WebPThumbnail::draw';

// As Wikipedia has it today: <figure>, long pages, and a licence read off each file page.
$wgParserEnableLegacyMediaDOM = false;
$wgMaxArticleSize = 2048;
$wgRateLimits = [];
$wgAutoloadClasses['FileLicence'] = __DIR__ . '/FileLicence.php';
$wgHooks['GetExtendedMetadata'][] = 'FileLicence::describe';

// __DISAMBIG__ as the Disambiguator extension knows it: a page property called `disambiguation`.
$wgExtensionMessagesFiles['Disambiguation'] = __DIR__ . '/magic.php';
$wgHooks['GetDoubleUnderscoreIDs'][] = static function ( array &$ids ) {
	$ids[] = 'disambiguation';
};

// A request with this header meets a wiki whose replicas are that many seconds behind: the error is MediaWiki's own.
$wgHooks['ApiMaxLagInfo'][] = static function ( array &$lag ) {
	$asked = $_SERVER['HTTP_X_REPLICATION_LAG'] ?? '';
	if ( is_numeric( $asked ) ) {
		$lag = [ 'host' => 'replica', 'lag' => (float)$asked, 'type' => 'db' ];
	}
};

foreach ( [ 'CirrusLike', 'CirrusQuery', 'CirrusDocument', 'CirrusHit', 'CirrusHits' ] as $class ) {
	$wgAutoloadClasses[$class] = __DIR__ . "/cirruslike/$class.php";
}
$wgMessagesDirs['CirrusLike'] = __DIR__ . '/i18n';
$wgDisableSearchUpdate = getenv( 'MW_INDEX' ) === 'later';
if ( PHP_SAPI === 'cli' ) {
	$wgSearchTypeAlternatives = [ 'CirrusLike' ];
} elseif ( getenv( 'MW_SEARCH' ) === 'cirruslike' ) {
	$wgSearchType = 'CirrusLike';
}
