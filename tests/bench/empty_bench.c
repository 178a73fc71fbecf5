/* The empty dynamic C program: what starting a process costs on this machine. */
int main(void) { return 0; }
