#!/usr/bin/env bash
# Real MediaWiki 1.39 on loopback, twice: once with its own search and once with a search that behaves like CirrusSearch.
#
#   tests/servers/mediawiki.sh start    install what is missing, build the wiki if its pages changed, serve it, print URLs
#   tests/servers/mediawiki.sh build    all of that but serving
#   tests/servers/mediawiki.sh stop     end the servers that `start` left running
#
#   MW_HOME         cache folder; deleting it is always safe      (${XDG_CACHE_HOME:-~/.cache}/heliograph/mediawiki-tests)
#   MW_SEARCH       plain | cirruslike | both                     (both)
#   MW_PLAIN_PORT   MW_CIRRUS_PORT                                (8765 and 8766)
#   MW_EXTRA        an export dump to import beside our pages; such a wiki has a data folder of its own
#   MW_WORKERS      PHP processes of each server                  (3)
#   PYTHON          a Python with Pillow, to draw the pictures    (that of $VENV, .venv by default)
#
# Debian 12. The packages of MediaWiki are unpacked into MW_HOME, never installed: no Apache, no /etc, no service.
# PHP itself and an SVG renderer are installed, which needs root once. Both servers read one SQLite database.
set -euo pipefail
unset MW_CONFIG_FILE MW_DATA MW_INDEX

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
home=${MW_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/heliograph/mediawiki-tests}
extra=${MW_EXTRA:+$(realpath "$MW_EXTRA")}
tree=$home/w
data=$home/data${extra:+-extra}
python=${PYTHON:-${VENV:-$root/.venv}/bin/python}
began=$EPOCHREALTIME

say() { printf '%6.1f s  %s\n' "$(awk "BEGIN { print $EPOCHREALTIME - $began }")" "$*" >&2; }
fail() { say "$*"; exit 1; }

port_of() { case $1 in plain) echo "${MW_PLAIN_PORT:-8765}" ;; cirruslike) echo "${MW_CIRRUS_PORT:-8766}" ;; esac; }

wanted() {
  case ${MW_SEARCH:-both} in
    both) echo plain cirruslike ;;
    plain | cirruslike) echo "$MW_SEARCH" ;;
    *) fail "MW_SEARCH is '$MW_SEARCH'; it may be plain, cirruslike or both" ;;
  esac
}

install_packages() {
  local missing=() package
  for package in php-cli php-sqlite3 php-apcu php-intl php-gd php-mbstring php-xml php-luasandbox librsvg2-bin curl; do
    dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  [ "$(id -u)" -eq 0 ] || fail "as root, once: apt-get install --no-install-recommends ${missing[*]}"
  say "installing ${missing[*]}"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    -o Dpkg::Options::=--force-unsafe-io "${missing[@]}" >"$home/apt.log" 2>&1 || { tail -20 "$home/apt.log" >&2; fail 'apt-get install'; }
  say 'packages installed'
}

unpack_mediawiki() {
  [ -f "$tree/.complete" ] && return
  say 'fetching the packages of MediaWiki'
  mkdir -p "$home/debs"
  if ! compgen -G "$home/debs/mediawiki_*.deb" >/dev/null; then
    [ "$(id -u)" -eq 0 ] && apt-get update -qq
    (cd "$home/debs" && apt-get download -qq -o APT::Sandbox::User=root mediawiki mediawiki-classes)
  fi
  say 'unpacking MediaWiki, with English alone of its languages'
  rm -rf "$tree" "$home/unpacked"
  mkdir "$home/unpacked"
  local deb
  for deb in "$home"/debs/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" | tar --extract --directory "$home/unpacked" --no-wildcards-match-slash \
      --exclude='i18n/[!e]*.json' --exclude='i18n/e[!n]*.json' --exclude='i18n/*/[!e]*.json' ./usr/share/mediawiki
  done
  mv "$home/unpacked/usr/share/mediawiki" "$tree"
  rm -rf "$home/unpacked" "$tree"/{LocalSettings.php,config,images,extensions}
  ln -s extensions-core "$tree/extensions"
  touch "$tree/.complete"
  say 'MediaWiki unpacked'
}

# What the data folder was built from: a change in any of it builds the wiki again.
fingerprint() {
  (cd "$here" && find mediawiki mediawiki.sh pages pictures.py wiki_pages.py -type f -print0 | sort -z | xargs -0 sha256sum)
  [ -z "$extra" ] || sha256sum "$extra"
}

maintain() { # SCRIPT ARGUMENTS...: run one of MediaWiki's maintenance scripts on the wiki under construction
  local log=$home/$1.log
  php "$tree/maintenance/$1.php" "${@:2}" >"$log" 2>&1 || { tail -20 "$log" >&2; fail "maintenance/$1.php: all of it is in $log"; }
  say "$1"
}

build_wiki() {
  local print
  print=$(fingerprint)
  [ "$print" = "$(cat "$data/fingerprint" 2>/dev/null)" ] && return
  command -v "$python" >/dev/null || fail "no Python at $python: run make install, or set PYTHON"
  rm -rf "$data.new"
  mkdir -p "$data.new"/{cache,pages,site/images}
  ln -s "$tree" "$data.new/site/w"
  (cd "$root" && "$python" -m tests.servers.wiki_pages "$data.new/pages")
  say 'pages written and pictures drawn'
  maintain install --dbtype sqlite --dbpath "$data.new" --dbname wiki --scriptpath /w --server http://127.0.0.1 --lang en \
    --confpath "$data.new/cache" --pass 'a-wiki-of-loopback' --skins Vector 'Marrowdale Wiki' Keeper
  export MW_CONFIG_FILE=$here/mediawiki/LocalSettings.php MW_DATA=$data.new MW_INDEX=later
  maintain importImages --comment-ext=txt --user=Keeper "$data.new/pages/images"
  maintain importDump --username-prefix='' "$data.new/pages/pages.xml"
  [ -z "$extra" ] || maintain importDump --username-prefix='' "$extra"
  maintain rebuildrecentchanges
  maintain runJobs --type refreshLinks
  MW_INDEX=now maintain rebuildtextindex
  maintain initSiteStats --update
  # Without statistics SQLite matches the plain engine's words page by page: seconds a search among thousands of pages.
  php -r '(new SQLite3($argv[1]))->exec("ANALYZE");' "$data.new/wiki.sqlite"
  echo "$print" >"$data.new/fingerprint"
  stop_servers
  rm -rf "$data"
  mv "$data.new" "$data"
}

alive() { # PIDFILE [PORT]: whether the process it names is one of our servers, and listens there
  local command
  [ -f "$1" ] && command=$(tr '\0' ' ' 2>/dev/null <"/proc/$(cat "$1")/cmdline") || return 1
  [[ $command == *"${2:+-S 127.0.0.1:$2 }"*mediawiki/router.php* ]]
}

stop_server() { # PIDFILE
  if alive "$1"; then
    kill -- "-$(cat "$1")"
    say "stopped $(basename "$1" .pid)"
  fi
  rm -f "$1"
}

stop_servers() {
  local search
  for search in plain cirruslike; do stop_server "$data/$search.pid"; done
}

serve() { # plain | cirruslike
  local port url pidfile=$data/$1.pid
  port=$(port_of "$1")
  url=http://127.0.0.1:$port
  if ! alive "$pidfile" "$port"; then
    stop_server "$pidfile"
    curl --silent --output /dev/null "$url" && fail "port $port is taken; set MW_PLAIN_PORT or MW_CIRRUS_PORT"
    MW_CONFIG_FILE=$here/mediawiki/LocalSettings.php MW_DATA=$data MW_SEARCH=$1 MW_PORT=$port \
      PHP_CLI_SERVER_WORKERS=${MW_WORKERS:-3} setsid php -d memory_limit=512M -d apc.shm_size=64M -d max_execution_time=0 -d output_buffering=0 \
      -S "127.0.0.1:$port" -t "$data/site" "$here/mediawiki/router.php" >"$data/$1.log" 2>&1 </dev/null 9>&- &
    echo $! >"$pidfile"
    local tries=0
    until curl --fail --silent --output /dev/null "$url/w/api.php?action=query&meta=siteinfo&format=json"; do
      tries=$((tries + 1))
      [ $tries -lt 150 ] && kill -0 "$(cat "$pidfile")" || { tail -5 "$data/$1.log" >&2; fail "the $1 wiki does not answer"; }
      sleep 0.1
    done
    say "the $1 wiki answers"
  fi
  echo "MEDIAWIKI_$([ "$1" = plain ] && echo PLAIN || echo CIRRUS)_URL=$url"
}

searches=$(wanted)
mkdir -p "$home"
exec 9>"$home/lock"
flock 9
case ${1:-} in
  start) install_packages; unpack_mediawiki; build_wiki; for search in $searches; do serve "$search"; done ;;
  build) install_packages; unpack_mediawiki; build_wiki ;;
  stop) stop_servers ;;
  *) sed -n '2,/^set/{/^#/p}' "$0" >&2; exit 2 ;;
esac
