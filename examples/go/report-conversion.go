// Reports a conversion of a customer, such as a booked demo: report-conversion KIND EMAIL
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

type answer struct {
	Success bool `json:"success"`
	Data    struct {
		Outcome string `json:"outcome"`
	} `json:"data"`
	Error struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func reportConversion(kind, email string) (string, error) {
	body, err := json.Marshal(map[string]string{"kind": kind, "email": email})
	if err != nil {
		return "", err
	}
	url := strings.TrimRight(os.Getenv("FINDERSFEE_URL"), "/") + "/v1/conversions"
	request, err := http.NewRequest("POST", url, bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("FINDERSFEE_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	// The same event has the same key, so a retry is safe. Later, a repetition returns the first report.
	request.Header.Set("Idempotency-Key", kind+"-"+email)
	client := http.Client{Timeout: 30 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	var result answer
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil {
		return "", err
	}
	if !result.Success {
		return "", fmt.Errorf("%s: %s", result.Error.Code, result.Error.Message)
	}
	return result.Data.Outcome, nil
}

func main() {
	outcome, err := reportConversion(os.Args[1], os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(outcome) // commission, or why it earns nothing
}
