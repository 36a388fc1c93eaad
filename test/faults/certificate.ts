/**
 * The private key and certificate of a server that no client trusts: self-signed, and for another host name. For tests
 * only.
 */
export const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHjnYwvxocq2bTUgk
m9hMZfAFktKfnVFlKEyq9lVm5BShRANCAAQsHuKUOxuQJ55tSg0ZdPRQmCfO73zg
Qq0ff7zum6d5Z4uR7C7SzFG90acwwTGmAZrsBKHoReyyuXN5YVVgsAGq
-----END PRIVATE KEY-----`;

export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBiTCCAS+gAwIBAgIUQ6fmj0Pr8kZLjCpClm4zZwJzosQwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOZWxkZXJzLmludmFsaWQwIBcNMjYxMTIxMDcwNTEzWhgPMjEy
NjEwMjgwNzA1MTNaMBkxFzAVBgNVBAMMDmVsZGVycy5pbnZhbGlkMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAELB7ilDsbkCeebUoNGXT0UJgnzu984EKtH3+87pun
eWeLkewu0sxRvdGnMMExpgGa7ASh6EXssrlzeWFVYLABqqNTMFEwHQYDVR0OBBYE
FDhhWWOZAetEa0ORyLbar2rtncvxMB8GA1UdIwQYMBaAFDhhWWOZAetEa0ORyLba
r2rtncvxMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAO2rTFos
sFX6jaMnGXzDV6nP5E8HtAnExv1EB8PqLXkPAiBJpD+fVuE/LRFBiMjxVv/NjHYL
B1oF/0hH0NPa5BMgaQ==
-----END CERTIFICATE-----`;
