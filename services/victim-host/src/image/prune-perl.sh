#!/bin/sh
# Run while the image is built: leaves of Perl's library what Archive::Tar loads to unpack an archive.
set -eu
cd "$(mktemp -d)"
touch file
ln -s file link
mkdir folder
tar -czf /tmp/kinds.tar.gz .
unpack='Archive::Tar->new("/tmp/kinds.tar.gz")->extract or die Archive::Tar->error'
perl -MArchive::Tar -MDynaLoader -e "$unpack; print qq(\$_\\n) for values %INC, @DynaLoader::dl_shared_objects" |
  xargs realpath | sort -u > /tmp/keep
find /usr/share/perl /usr/share/perl5 /usr/lib/*/perl /usr/lib/*/perl5 /usr/lib/*/perl-base -type f | sort -u |
  comm -23 - /tmp/keep | xargs -r rm
find /usr/share/perl* /usr/lib/*/perl* -type d -empty -delete
# What is left still does it.
cd "$(mktemp -d)"
perl -MArchive::Tar -e "$unpack"
test -L link && test -d folder
