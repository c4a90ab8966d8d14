<?php
/** Scale WebP pictures with GD: MediaWiki 1.39 would call ImageMagick, which nothing else here needs. */
class WebPThumbnail {
	/** Handle the hook BitmapHandlerTransform. */
	public static function draw( TransformationalImageHandler $handler, File $file, array &$asked, &$drawn ): bool {
		if ( $asked['mimeType'] !== 'image/webp' ) {
			return true;
		}
		$picture = imagescale( imagecreatefromwebp( $asked['srcPath'] ), $asked['physicalWidth'], $asked['physicalHeight'] );
		imagepng( $picture, $asked['dstPath'] );
		$size = [ 'width' => $asked['clientWidth'], 'height' => $asked['clientHeight'] ];
		$drawn = new ThumbnailImage( $file, $asked['dstUrl'], $asked['dstPath'], $size );
		return false;
	}
}
