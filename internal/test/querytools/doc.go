// Package querytools runs query tools of other projects against servers on this
// machine and parses their output. Tests use it, and the program that compares the
// tools.
//
// The tools are quakestat of Debian's package qstat, and the npm packages gamedig,
// minecraft-server-util, minecraft-query and mcquery, which Node runs: NODE_PATH names
// the folder of these packages.
package querytools
