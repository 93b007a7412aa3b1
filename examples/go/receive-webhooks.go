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

// The bytes that secrets stand for: base64 behind their prefix.
func keysOf(secrets string) (keys [][]byte, err error) {
	for _, secret := range strings.Fields(secrets) {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) < 24 {
			return nil, errors.New("WEBHOOK_SECRET is not whole; copy it from the endpoint")
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, errors.New("WEBHOOK_SECRET is empty; copy it from the endpoint")
	}
	return keys, nil
}

// Gives the event of a delivery. body is the bytes as they came.
func verify(body []byte, header http.Header, keys [][]byte) (*event, error) {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil {
		return nil, errors.New("webhook-timestamp is not a time")
	}
	if age := time.Since(time.Unix(int64(seconds), 0)); age > tolerance || age < -tolerance {
		return nil, errors.New("webhook-timestamp is more than 5 minutes off")
	}
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
		expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		// While a secret is rotated, the header has a signature by the old and by the new one.
		for _, one := range strings.Split(header.Get("webhook-signature"), " ") {
			if hmac.Equal([]byte(expected), []byte(one)) {
				var verified event
				return &verified, json.Unmarshal(body, &verified)
			}
		}
	}
	return nil, errors.New("no signature in webhook-signature is right")
}

func receive(keys [][]byte) http.HandlerFunc {
	return func(response http.ResponseWriter, request *http.Request) {
		// The raw bytes: parsed and written again they would have another signature.
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
		// An event may come more than once: keep each webhook-id under a unique key, in the transaction of
		// your own change, and pass over those that are there. Slow work comes after the answer.
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
