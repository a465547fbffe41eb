// Package stream has what the TCP helpers share: a loop that accepts connections
// within limits, and connections that read whole messages within deadlines.
package stream
