// Peers runs Go packages of other projects that query game servers, or that are game
// servers.
//
//	peers query PACKAGE ADDRESS...
//	peers serve PACKAGE <STATE
//
// Query prints a line of JSON for each address. Serve reads the state of a server as
// JSON, prints the address of the server, and ends at the end of its standard input.
package main

import (
	"errors"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) >= 2 && args[0] == "query":
		return queryAll(args[1], args[2:], os.Stdout)
	case len(args) == 2 && args[0] == "serve":
		return serve(args[1], os.Stdin, os.Stdout)
	}
	return errors.New("usage: peers query PACKAGE ADDRESS... | peers serve PACKAGE <STATE")
}
