// Decoder serves a page that decodes packets in the browser: the codecs as WebAssembly, and a
// folder of static files. It builds them with the go command, from the module that it is in.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/lobbywire/lobbywire/examples/decoder/internal/site"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		log.Fatal(err)
	}
}

// run builds the page, and writes or serves it until the context ends.
func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("decoder", flag.ContinueOnError)
	listen := flags.String("listen", "127.0.0.1:8089", "`ADDRESS` at which to serve the page")
	folder := flags.String("o", "", "write the files of the page to `FOLDER`, for any static host, and exit")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	files, err := site.Build(ctx)
	if err != nil {
		return err
	}
	if *folder != "" {
		return write(*folder, files)
	}
	l, err := net.Listen("tcp", *listen)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: files, ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { server.Close() })
	if _, err := fmt.Fprintf(out, "The page is at http://%s/\n", l.Addr()); err != nil {
		return err
	}
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func write(folder string, files site.Files) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
