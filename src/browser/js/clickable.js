class ClickableFinder { wants() { return false; } consider() {} mark() {} }
