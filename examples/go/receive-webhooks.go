// Receives webhooks at /webhooks. WEBHOOK_SECRET is the endpoint's secret, or several separated by spaces.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	tolerance = 5 * time.Minute
	mostBytes = 1 << 20
)

type event struct {
	Type string
	Data struct{ ID string } // and the fields of that type
}

// Decodes the secrets: base64 after their prefix.
func keysOf(secrets string) (keys [][]byte, err error) {
	for _, secret := range strings.Fields(secrets) {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) < 24 {
			return nil, errors.New("WEBHOOK_SECRET is incomplete; copy it from the endpoint")
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, errors.New("WEBHOOK_SECRET is empty; copy it from the endpoint")
	}
	return keys, nil
}

// Returns the event of a delivery. body is the raw bytes.
func verify(body []byte, header http.Header, keys [][]byte) (*event, error) {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil {
		return nil, errors.New("webhook-timestamp is invalid")
	}
	if age := time.Since(time.Unix(int64(seconds), 0)); age > tolerance || age < -tolerance {
		return nil, errors.New("webhook-timestamp is more than 5 minutes off")
	}
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
		expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		// During a rotation, the header has signatures with the old and the new secret.
		for _, one := range strings.Split(header.Get("webhook-signature"), " ") {
			if hmac.Equal([]byte(expected), []byte(one)) {
				var verified event
				return &verified, json.Unmarshal(body, &verified)
			}
		}
	}
	return nil, errors.New("no signature in webhook-signature matches")
}

func receive(keys [][]byte) http.HandlerFunc {
	return func(response http.ResponseWriter, request *http.Request) {
		// The raw bytes: parsed and serialized again they would have another signature.
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, mostBytes))
		if err != nil {
			http.Error(response, err.Error(), http.StatusBadRequest)
			return
		}
		event, err := verify(body, request.Header, keys)
		if err != nil {
			http.Error(response, err.Error(), http.StatusBadRequest)
			return
		}
		// An event may arrive more than once: store each webhook-id under a unique key, in the transaction of
		// your own change, and skip known ones. Do slow work after responding.
		fmt.Println(request.Header.Get("webhook-id"), event.Type, event.Data.ID)
		response.WriteHeader(http.StatusNoContent)
	}
}

func main() {
	keys, err := keysOf(os.Getenv("WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "4242"
	}
	http.Handle("/webhooks", receive(keys))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}
