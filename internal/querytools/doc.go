// Package querytools runs query tools of other projects against servers on this
// machine and parses their output. Tests use it, and the program that compares the
// tools.
//
// The tools are quakestat of Debian's package qstat, the npm packages gamedig,
// minecraft-server-util, minecraft-query and mcquery, and Go packages. Node runs the
// packages of npm: NODE_PATH names the folder of these packages. The program peers
// runs the Go packages: go -C .ci/tools build ./peers compiles it.
package querytools
