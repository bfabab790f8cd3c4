\n
select 1
select "a
b"
/* c
 */ select 2
