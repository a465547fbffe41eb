// Package service queries game servers for clients over HTTP: web sites, panels and
// Prometheus.
//
// Clients are not trusted. They can query hosts of the public internet only, see package
// reach. Package admission limits their requests; the Service limits the resulting
// queries, for each client, for each queried host, and in total. Results are kept for
// seconds, and several requests for one result share a query.
//
// openapi.json describes the API.
package service
