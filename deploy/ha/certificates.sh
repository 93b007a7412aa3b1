#!/bin/sh
# Makes a certificate authority, and a key and a certificate of each machine, in a folder. Run again, it makes new ones with the
# same authority. Replace the addresses.
set -eu
umask 077
mkdir -p "$1"
cd "$1"

new_key="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc"

if [ ! -e ca.key ]; then
  openssl req -x509 $new_key -days 3650 -subj "/CN=Findersfee" -addext "keyUsage=critical,keyCertSign" \
    -keyout ca.key -out ca.crt
fi

certificate() {
  openssl req $new_key -subj "/CN=$1" -keyout "$1.key" -out "$1.csr" \
    -addext "extendedKeyUsage=serverAuth,clientAuth" -addext "subjectAltName=DNS:$1,IP:$2,IP:127.0.0.1"
  openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 365 -copy_extensions copy -out "$1.crt"
  rm "$1.csr"
}

certificate db1 10.0.0.11
certificate db2 10.0.0.12
certificate db3 10.0.0.13
certificate app1 10.0.0.21
certificate app2 10.0.0.22
