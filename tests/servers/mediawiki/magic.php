<?php
/** The double-underscore word of disambiguation pages. */
$magicWords = [ 'en' => [ 'disambiguation' => [ 0, '__DISAMBIG__' ] ] ];
