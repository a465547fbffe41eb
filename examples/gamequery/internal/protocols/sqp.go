package protocols

import (
	"context"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/servers"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// SQP returns the protocol SQP.
func SQP() Protocol {
	return Protocol{
		Name:     "sqp",
		HasBytes: true,
		Query:    querySQP,
		scanner:  func(a Settings) lobbywire.Scanner { return sqpClient(a) },
		Serve:    servers.NewSQP,
	}
}

func sqpClient(a Settings) *sqpnet.Client {
	return &sqpnet.Client{
		Timeout:    a.Timeout,
		Attempts:   a.Attempts,
		Rate:       a.Rate,
		ViewChunks: a.Chunks,
		Options:    sqp.Options{Text: a.Text},
		Dial:       a.Dial,
		Listen:     a.Listen,
	}
}

func querySQP(ctx context.Context, addr netip.AddrPort, a Settings) (output.Answer, error) {
	r, err := sqpClient(a).Query(ctx, addr.String(), a.Chunks)
	return output.Answer{View: r.Message.View(), Message: r.Message, Lacks: missingChunks(r.Missing), RTT: r.RTT,
		Attempts: r.Attempts}, err
}
