// kbx-clock: the trusted process that plays tapes and has the clock.
int main() { return 2; }
