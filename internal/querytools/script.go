package querytools

import (
	"context"
	"sync"
)

// Script returns a Tool that queries with a function. It stands for a program that
// cannot be installed.
func Script(name string, query func(ctx context.Context, addr string) (Answer, error)) Tool {
	return Tool{Name: name, query: func(ctx context.Context, addrs []string) []Result {
		results := make([]Result, len(addrs))
		var all sync.WaitGroup
		for i, addr := range addrs {
			all.Go(func() { results[i].Answer, results[i].Err = query(ctx, addr) })
		}
		all.Wait()
		return results
	}}
}
