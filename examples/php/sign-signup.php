<?php
// Signs a sign-up. SIGNUP_SECRET is the organization's secret, ff_ss_…
declare(strict_types=1);

function sign_signup(string $secret, string $click_id, string $email, int $expires_in_seconds = 3600): string
{
    $expires = time() + $expires_in_seconds;
    return "$expires." . hash_hmac('sha256', "$expires.$click_id.$email", $secret);
}

[, $click_id, $email] = $argv;
echo sign_signup(getenv('SIGNUP_SECRET'), $click_id, $email), "\n";
