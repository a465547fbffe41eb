package web_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/web"
)

// This example serves a page with one game. Shutdown of the http.Server ends the
// streams of its viewers.
func ExampleServer() {
	var all catalogue.Catalogue
	pages := &web.Server{Catalogue: &all, Title: "Games of our club"}
	server := &http.Server{Handler: pages, ReadHeaderTimeout: 5 * time.Second}
	server.RegisterOnShutdown(func() { pages.Shutdown(context.Background()) })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	go server.Serve(l)

	all.Update([]*catalogue.Entry{{
		ID: "warzone-1", Family: catalogue.Warzone, Name: "Rush", Players: 3, MaxPlayers: 10,
	}}, nil, time.Now())
	answer, err := http.Get("http://" + l.Addr().String() + "/api/servers?q=rush")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer answer.Body.Close()
	fmt.Println(answer.Status, answer.Header.Get("Content-Type"))
	fmt.Println(server.Shutdown(context.Background()))
	// Output:
	// 200 OK application/json; charset=utf-8
	// <nil>
}
