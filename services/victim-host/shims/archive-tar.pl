# The Perl module Archive::Tar with its defaults, which extracts into the working directory.
use strict;
use warnings;
use Archive::Tar;

my ($archive, $dest) = @ARGV;
if ($archive eq '--version') {
    print "Archive::Tar $Archive::Tar::VERSION on perl $^V\n";
    exit 0;
}
chdir $dest or die "$dest: $!\n";
my $tar = Archive::Tar->new($archive) or die Archive::Tar->error . "\n";
$tar->extract or die Archive::Tar->error . "\n";
