// Package stream is the TCP side of the helpers: a loop that accepts connections
// within limits, and connections that hand out whole messages within deadlines.
package stream
